// Runs in the browser: the views of the page, and the actions of its buttons.
import { ask, base, isSignedIn, Refused, signedIn, signInWith } from './api.js';
import { byId, createRow, element, fill, tell } from './elements.js';

const shown = { view: 'requests', turn: 0, pid: 0, last: 0, paused: false, timer: 0 };
/** Maximum number of rows on the screen, and maximum number of bytes of a value. */
const most = { requests: 500, value: 64 * 1024 };

/** Shows the current view, and reloads it every `seconds` until the user opens another view. */
async function refresh() {
  clearTimeout(shown.timer);
  shown.turn += 1;
  const { turn } = shown;
  const { read, seconds } = views[shown.view];
  try {
    const { result } = await ask('/sandbox/info');
    if (result.pid !== shown.pid) clearRequestRows(result.pid);
    await read();
    tell(`version ${result.version} · sandbox clock ${result.now.slice(0, 19).replace('T', ' ')}`);
  } catch (error) {
    if (error instanceof Refused && [400, 401, 403].includes(error.status)) return signIn(error.message);
    tell(error instanceof TypeError ? 'the sandbox does not respond' : error.message, true);
  }
  // The user may have opened another view meanwhile.
  if (turn === shown.turn) shown.timer = setTimeout(refresh, seconds * 1000);
}

/** Clears the list of requests after the server was replaced, because the new server numbers its requests from 1. */
function clearRequestRows(pid) {
  shown.pid = pid;
  shown.last = 0;
  byId('request-rows').replaceChildren();
}

function signIn(why) {
  for (const { view } of Object.values(views)) byId(view).hidden = true;
  byId('sign-in').hidden = false;
  tell(isSignedIn() ? why : '', true);
}

function show(view) {
  shown.view = view;
  byId('sign-in').hidden = true;
  for (const tab of document.querySelectorAll('[role=tab]')) {
    const isShown = tab.dataset.view === view;
    tab.setAttribute('aria-selected', String(isShown));
    byId(tab.dataset.view).hidden = !isShown;
  }
  return isSignedIn() ? refresh() : signIn('');
}

async function readRequests() {
  if (shown.paused) return;
  const { turn } = shown;
  const { result } = await ask(`/sandbox/requests?since=${shown.last}&limit=${most.requests}`);
  if (turn !== shown.turn) return;
  const rows = byId('request-rows');
  for (const request of result) {
    shown.last = request.number;
    const row = createRow(
      [request.time.slice(11, 23), 'quiet'],
      [request.method],
      [formatPath(request) + (request.query && `?${request.query}`), 'path'],
      [String(request.status ?? 'cut'), `number ${statusClass(request.status)}`],
      [String(Math.round(request.milliseconds)), 'number quiet'],
      [[request.rule, ...request.notes].filter(Boolean).join('; '), 'warn'],
    );
    row.className = 'more';
    row.tabIndex = 0;
    row.addEventListener('click', () => showRequest(request));
    row.addEventListener('keydown', ({ key }) => key === 'Enter' && showRequest(request));
    rows.prepend(row);
  }
  while (rows.children.length > most.requests) rows.lastChild.remove();
  filterRequests();
}

/** Formats a path as in a fault's `match`. */
function formatPath({ api, path }) {
  return api === 's3' ? `s3:${path}` : path;
}

function statusClass(status) {
  if (status === null || status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}

function filterRequests() {
  const words = byId('filter').value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of byId('request-rows').children) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
  }
}

function showRequest(request) {
  const aside = byId('request');
  const close = element('button', 'Close');
  close.addEventListener('click', () => {
    aside.hidden = true;
  });
  const headers = (of) =>
    Object.entries(of)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n');
  aside.replaceChildren(
    close,
    element('h2', `${request.method} ${formatPath(request)}`),
    element('pre', `${headers(request.requestHeaders)}\n\n${request.requestBody ?? ''}`),
    element('h2', `Answer ${request.status ?? 'cut'}`),
    element('pre', `${headers(request.answerHeaders)}\n\n${request.answerBody ?? ''}`),
  );
  aside.hidden = false;
  close.focus();
}

async function readHostnames() {
  const { result: zones } = await ask('/zones?per_page=50');
  const rows = [];
  for (const zone of zones) {
    for (let page = 1, pages = 1; page <= pages && page <= 10; page += 1) {
      const answer = await ask(`/zones/${zone.id}/custom_hostnames?per_page=50&page=${page}`);
      pages = answer.result_info?.total_pages ?? 1;
      rows.push(...answer.result.map((hostname) => hostnameRow(hostname, zone.name)));
    }
  }
  byId('hostname-rows').replaceChildren(...rows);
}

function hostnameRow({ hostname, status, ssl }, zone) {
  const ends = ssl?.expires_on ?? ssl?.certificates?.[0]?.expires_on ?? '';
  return createRow(
    [hostname],
    [status, standing(status)],
    [ssl?.status ?? 'none', standing(ssl?.status ?? '')],
    [ends.slice(0, 10), 'quiet'],
    [zone, 'quiet'],
  );
}

function standing(status) {
  if (status === 'active') return 'good';
  return status.startsWith('pending') ? 'warn' : 'bad';
}

async function readData() {
  const { result: accounts } = await ask('/accounts');
  const items = [];
  for (const { id } of accounts) {
    const at = `/accounts/${id}`;
    const { result: namespaces } = await ask(`${at}/storage/kv/namespaces?per_page=100`);
    const { result: found } = await ask(`${at}/r2/buckets`);
    items.push(
      ...namespaces.map(({ id: namespace, title }) => [
        title,
        () => listKeys(`${at}/storage/kv/namespaces/${namespace}`),
      ]),
      ...found.buckets.map(({ name }) => [`${name}/`, () => listObjects(`${at}/r2/buckets/${name}`)]),
    );
  }
  fill('containers', items);
}

async function listKeys(path) {
  const { result } = await ask(`${path}/keys?limit=1000`);
  fill(
    'names',
    result.map(({ name }) => [name, () => valueAt(`${path}/values/${encodeURIComponent(name)}`)]),
  );
}

async function listObjects(path) {
  const { result } = await ask(`${path}/objects?per_page=1000`);
  fill(
    'names',
    result.map(({ key }) => [key, () => valueAt(`${path}/objects/${encodeURIComponent(key)}`)]),
  );
}

async function valueAt(path) {
  const answer = await fetch(base + path, { headers: signedIn() });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const text = new TextDecoder().decode(bytes.subarray(0, most.value));
  const more = bytes.length > most.value ? `\n… ${bytes.length} bytes in total` : '';
  byId('value').textContent = text + more;
}

const usualFaults = [
  ['Too many requests', { match: '* /**', status: 429, retryAfter: 1 }],
  ['Half fail with 500', { match: '* /**', status: 500, share: 0.5 }],
  ['Slower by 2 s', { match: '* /**', latency: 2000 }],
  ['Cut connections', { match: '* /**', cut: 'in' }],
  ['HTML from a proxy', { match: '* /**', body: 'html', status: 502 }],
  ['Stale reads for 60 s', { match: 'GET /**', stale: 60 }],
];

/** The buttons that switch faults on and off, by fault as a string. The strings of the current faults show which buttons are pressed. */
const switches = new Map();

const faultText = (fault) => JSON.stringify(Object.entries(fault).sort());

async function readFaults() {
  const { result } = await ask('/sandbox/faults');
  for (const one of switches.values()) one.setAttribute('aria-pressed', 'false');
  const rows = result.map(({ id, met, ...fault }) => {
    const { match, ...effects } = fault;
    const pressed = switches.get(faultText(fault));
    pressed?.setAttribute('aria-pressed', 'true');
    if (pressed) pressed.dataset.fault = id;
    const row = createRow([match, 'path'], [inWords(effects)], [String(met), 'number'], []);
    const button = element('button', 'Delete');
    button.addEventListener('click', () => takeAway(id));
    row.lastChild.append(button);
    return row;
  });
  byId('fault-rows').replaceChildren(...rows);
}

const takeAway = (id) => change(`/sandbox/faults/${id}`, { method: 'DELETE' });

function inWords(effects) {
  const words = Object.entries(effects).map(
    ([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  return words.join(', ');
}

async function change(path, request) {
  try {
    await ask(path, request);
    await refresh();
  } catch (error) {
    tell(error.message, true);
  }
}

const views = {
  requests: { view: 'requests', read: readRequests, seconds: 1 },
  hostnames: { view: 'hostnames', read: readHostnames, seconds: 3 },
  data: { view: 'data', read: readData, seconds: 3 },
  faults: { view: 'faults', read: readFaults, seconds: 2 },
};

for (const place of document.querySelectorAll('.address')) place.textContent = location.origin + base;
for (const tab of document.querySelectorAll('[role=tab]'))
  tab.addEventListener('click', () => show(tab.dataset.view));
for (const [label, fault] of usualFaults) {
  const button = element('button', label);
  button.addEventListener('click', () =>
    button.getAttribute('aria-pressed') === 'true'
      ? takeAway(button.dataset.fault)
      : change('/sandbox/faults', { method: 'POST', body: fault }),
  );
  switches.set(faultText(fault), button);
  byId('switches').append(button);
}
byId('filter').addEventListener('input', filterRequests);
byId('pause').addEventListener('click', ({ target }) => {
  shown.paused = !shown.paused;
  target.setAttribute('aria-pressed', String(shown.paused));
});
byId('clear').addEventListener('click', async () => {
  await change('/sandbox/requests', { method: 'DELETE' });
  byId('request-rows').replaceChildren();
});
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') byId('request').hidden = true;
});
byId('add-fault').addEventListener('submit', (event) => {
  event.preventDefault();
  const { match, ...numbers } = Object.fromEntries(new FormData(event.target));
  const given = Object.entries(numbers).filter(([, text]) => text !== '');
  const fault = { match, ...Object.fromEntries(given.map(([name, text]) => [name, Number(text)])) };
  change('/sandbox/faults', { method: 'POST', body: fault });
});
byId('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  signInWith(new FormData(event.target).get('token'));
  show(shown.view);
});
show('requests');
