// Everything that the page shows is untrusted, so it is inserted as text and never as markup.

export const byId = (id) => document.getElementById(id);

export function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

export function createRow(...cells) {
  const row = element('tr');
  row.append(...cells.map(([text, className]) => element('td', text, className)));
  return row;
}

export function tell(text, isBad = false) {
  const state = byId('state');
  state.textContent = text;
  state.className = isBad ? 'bad' : '';
}

/** Fills a list with buttons. An unchanged list is not rebuilt, so that it keeps the selection and the focus. */
export function fill(id, items) {
  const list = byId(id);
  const names = items.map(([name]) => name);
  if (list.dataset.names === JSON.stringify(names)) return;
  list.dataset.names = JSON.stringify(names);
  list.replaceChildren(
    ...items.map(([name, open]) => {
      const button = element('button', name);
      button.addEventListener('click', () => {
        for (const other of list.querySelectorAll('[aria-current]')) other.removeAttribute('aria-current');
        button.setAttribute('aria-current', 'true');
        open().catch((error) => tell(error.message, true));
      });
      const item = element('li');
      item.append(button);
      return item;
    }),
  );
  if (items.length === 0) list.append(element('li', 'none', 'quiet'));
}
