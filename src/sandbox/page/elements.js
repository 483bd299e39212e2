// All that the page shows comes from outside: it becomes text, never markup.

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

/** A list of buttons. One that is there already stays, and with it what is chosen and the focus. */
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
  if (items.length === 0) list.append(element('li', 'nothing', 'quiet'));
}
