import 'reflect-metadata';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import { probeEdge } from '../../../src/probe/probe.ts';
import { serveTlsEdge, type TlsEdge } from '../../../src/sandbox/hostnames/tls.ts';
import { day, type HostnameSandbox, openHostnameSandbox, origin, result, target } from './test-sandbox.ts';

let place: HostnameSandbox;
let tls: TlsEdge;
beforeAll(async () => {
  // Real clients check the certificates, and these clients use the real time.
  place = await openHostnameSandbox('in process', { now: () => realStart });
  tls = await serveTlsEdge(place.sandbox.platform, { port: 0, address: '127.0.0.1', of: 'edge-tls' });
});
afterAll(async () => {
  await tls.close();
  await place.close();
});
beforeEach(() => place.wait(61));

const realStart = Date.now() - 3600_000;
const dv = { method: 'http', type: 'dv' };

/** Returns openssl's output; empty if openssl is not installed. */
function openssl(argv: readonly string[], input: string): string {
  const program = 'openssl';
  return spawnSync(program, argv, { input, encoding: 'utf8' }).stdout ?? '';
}

async function openActive(hostname: string, ssl: object = {}): Promise<CustomHostname> {
  await place.dns([hostname, 'CNAME', target]);
  const { id } = await place.add(hostname, { ssl: { ...dv, ...ssl } });
  await place.wait(30);
  return place.read(id);
}

async function readPem(hostname: string): Promise<string> {
  return (await place.call('GET', `/sandbox/certificates/${hostname}`)).text;
}

async function roots(): Promise<string> {
  return (await place.call('GET', '/sandbox/authorities')).text;
}

describe('an issued certificate', () => {
  test("an issued certificate is real X.509 for 90 days from the sandbox's authority, as in the record", async () => {
    const { ssl } = await openActive('plain.cert.demo');
    const certificate = new X509Certificate(await readPem('plain.cert.demo'));
    expect(certificate.subject).toContain('CN=plain.cert.demo');
    expect(certificate.subjectAltName).toBe('DNS:plain.cert.demo');
    expect(BigInt(`0x${certificate.serialNumber}`).toString()).toBe(ssl?.serial_number);
    expect(Date.parse(certificate.validTo) / 1000).toBeCloseTo(Date.parse(ssl?.expires_on ?? '') / 1000, -1);
    const days = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / (day * 1000);
    expect(days).toBe(90);
    const [root] = (await roots()).match(/-----BEGIN[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
    expect(certificate.verify(new X509Certificate(root ?? '').publicKey)).toBe(true);
    expect([ssl?.issuer, ssl?.hosts]).toEqual(['GoogleTrustServices', ['plain.cert.demo']]);
  });

  test.skipIf(openssl(['version'], '') === '')('an issued certificate can be read by openssl', async () => {
    await openActive('openssl.cert.demo');
    const input = await readPem('openssl.cert.demo');
    const shown = openssl(['x509', '-noout', '-text'], input);
    expect(shown).toMatch(/Subject: CN ?= ?openssl\.cert\.demo/);
    expect(shown).toMatch(/Issuer: CN ?= ?edgectl sandbox authority \(google\)/);
    expect(shown).toContain('DNS:openssl.cert.demo');
    expect(shown).toContain('TLS Web Server Authentication');
  });

  test("a certificate for a hostname above 64 characters contains the provider's name in addition to the hostname", async () => {
    const long = `${'department-of-very-long-names.'.repeat(3)}cert.demo`;
    expect(long.length).toBeGreaterThan(64);
    const refused = await place.zone('POST', '/custom_hostnames', { hostname: long, ssl: dv });
    expect([refused.status, refused.code]).toEqual([400, 1469]);
    expect(refused.envelope().errors[0]?.message).toContain('Branding is required');
    await openActive(long, { cloudflare_branding: true });
    const certificate = new X509Certificate(await readPem(long));
    expect(certificate.subject).toContain('CN=sni.cloudflaressl.com');
    expect(certificate.subjectAltName).toContain(`DNS:${long}`);
  });

  test('a certificate for exactly 64 characters needs no branding', async () => {
    const exact = `${'x'.repeat(54)}.cert.demo`;
    expect(exact).toHaveLength(64);
    await openActive(exact);
    expect(new X509Certificate(await readPem(exact)).subject).toContain(`CN=${exact}`);
  });

  test('a certificate is issued by the selected authority', async () => {
    await openActive('chosen.cert.demo', { certificate_authority: 'lets_encrypt' });
    expect(new X509Certificate(await readPem('chosen.cert.demo')).issuer).toContain('lets_encrypt');
  });
});

describe('an uploaded certificate', () => {
  const upload = (hostname: string, custom_certificate: string, custom_key: string) =>
    place.zone('POST', '/custom_hostnames', { hostname, ssl: { ...dv, custom_certificate, custom_key } });

  test('an uploaded certificate is served unchanged, and rejected if it does not match', async () => {
    await openActive('source.cert.demo');
    const [stored] = place.sandbox.platform.registry().hostnames.named('source.cert.demo');
    const { certificate = '', privateKey = '' } = stored?.keyed ?? {};
    const codes = async (...args: Parameters<typeof upload>) => (await upload(...args)).code;
    expect(await codes('other.cert.demo', certificate, privateKey)).toBe(1446);
    expect(await codes('source.cert.demo', 'nothing', privateKey)).toBe(1426);
    expect(await codes('source.cert.demo', certificate, 'nothing')).toBe(1428);
    expect(await codes('source.cert.demo', '', privateKey)).toBe(1427);
    expect(await codes('source.cert.demo', await roots(), privateKey)).toBe(1429);
    const [leaf = ''] = certificate.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/) ?? [];
    expect(await codes('source.cert.demo', `${certificate}\n${leaf}`, privateKey)).toBe(1444);
    await place.zone('DELETE', `/custom_hostnames/${stored?.state.record.id}`);
    const created = await result<CustomHostname>(upload('source.cert.demo', certificate, privateKey));
    expect(created.ssl).toMatchObject({ status: 'pending_deployment', custom_certificate: certificate });
    expect(JSON.stringify(created)).not.toContain('PRIVATE KEY');
    await place.wait(10);
    expect(await place.read(created.id)).toMatchObject({ status: 'active', ssl: { status: 'active' } });
  });
});

test.each([
  ['SHA-384', 'force', 1447],
  ['SHA-256', 'force', undefined],
  ['SHA-256', 'ubiquitous', 1441],
] as const)(
  'an uploaded certificate is served if it is self-signed with ECDSA and %s, bundled by %s',
  async (hash, bundle_method, code) => {
    const name = `${hash.toLowerCase()}.${bundle_method}.demo`;
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash };
    const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const extensions = [new SubjectAlternativeNameExtension([{ type: 'dns', value: name }])];
    const leaf = { name: `CN=${name}`, keys, signingAlgorithm: algorithm, extensions, serialNumber: '01' };
    const made = await X509CertificateGenerator.createSelfSigned(leaf);
    const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
    const custom_key = `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----`;
    const ssl = { ...dv, bundle_method, custom_certificate: made.toString('pem'), custom_key };
    const answer = await place.zone('POST', '/custom_hostnames', { hostname: name, ssl });
    expect([answer.status, answer.code]).toEqual(code === undefined ? [200, undefined] : [400, code]);
  },
);

describe('the edge over TLS', () => {
  test('presents the certificate of the requested name, and serves the origin of that name', async () => {
    await openActive('tls.cert.demo');
    const probe = await probeEdge({
      hostname: 'tls.cert.demo',
      address: '127.0.0.1',
      port: tls.port,
      secure: true,
      authorities: [await roots()],
      now: () => realStart,
    });
    expect(probe).toMatchObject({
      known: { status: 200, certificate: { names: ['tls.cert.demo'], covers: true } },
    });
    expect(probe).not.toHaveProperty('known.certificate.distrust');
  });

  test('aborts the handshake for a name without a certificate', async () => {
    await expect(visitOverTls('nobody.cert.demo', 'TLSv1.3')).rejects.toThrow(/handshake failure/);
  });

  test.each([
    ['expired', 'CERT_HAS_EXPIRED'],
    ['not_yet_valid', 'CERT_NOT_YET_VALID'],
  ])(
    'presents a certificate that is %s if a seed requests it, and clients reject the certificate',
    async (validity, code) => {
      const hostname = `${validity.replaceAll('_', '-')}.cert.demo`;
      const seed = { hostnames: [{ hostname, status: 'active', ssl: { validity } }] };
      expect((await place.call('PUT', '/sandbox/seed', { json: seed })).status).toBe(200);
      const at = { host: '127.0.0.1', port: tls.port, servername: hostname, ca: await roots() };
      expect(await once(connect(at), 'error')).toMatchObject([{ code }]);
      await place.call('DELETE', `/sandbox/interventions?hostname=${hostname}`);
      const other = connect(at);
      await once(other, 'secureConnect');
      other.destroy();
    },
  );

  test('enforces the minimum TLS version of the hostname', async () => {
    await openActive('strict.cert.demo', { settings: { min_tls_version: '1.3' } });
    await expect(visitOverTls('strict.cert.demo', 'TLSv1.2')).rejects.toThrow(/alert protocol version/);
    expect(await visitOverTls('strict.cert.demo', 'TLSv1.3')).toContain('200 OK');
  });
});

/** Returns the whole response to a request; empty if the server closes the connection early. */
function visitOverTls(servername: string, maxVersion: 'TLSv1.2' | 'TLSv1.3'): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const options = { host: '127.0.0.1', port: tls.port, servername, rejectUnauthorized: false, maxVersion };
    const socket: TLSSocket = connect(options, () => {
      socket.write(`GET / HTTP/1.1\r\nHost: ${servername}\r\nConnection: close\r\n\r\n`);
    });
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(text));
  });
}

describe('the edge over HTTP', () => {
  test("forwards a visit to the loopback port of the origin, with the visitor's Host", async () => {
    await openActive('proxied.cert.demo');
    const server = createServer((request, response) => {
      response.writeHead(201, { 'x-origin': 'mine' }).end(`${request.headers.host} ${request.url}`);
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    await place.call('PUT', '/sandbox/origins', { json: { name: origin, port } });
    expect(await place.visit('proxied.cert.demo', '/a?b=c')).toEqual({
      status: 201,
      text: 'proxied.cert.demo /a?b=c',
    });
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    expect(await place.visit('proxied.cert.demo')).toMatchObject({
      status: 521,
      text: expect.stringContaining(String(port)),
    });
    await place.call('DELETE', `/sandbox/origins?name=${origin}`);
    expect((await place.visit('proxied.cert.demo')).status).toBe(200);
  });

  test('uses the custom origin of a hostname that has a custom origin', async () => {
    await place.zone('POST', '/dns_records', { type: 'A', name: 'own', content: '192.0.2.5', proxied: true });
    await place.dns(['own-origin.cert.demo', 'CNAME', target]);
    await place.add('own-origin.cert.demo', { custom_origin_server: 'own.saas.sandbox' });
    await place.wait(10);
    expect((await place.visit('own-origin.cert.demo')).text).toContain('own.saas.sandbox');
    expect((await place.visit('own.saas.sandbox')).status).toBe(200);
  });

  test('answers the challenge of the authority itself', async () => {
    await place.dns(['challenge.cert.demo', 'A', '203.0.113.4']);
    const { id } = await place.add('challenge.cert.demo');
    await place.wait(10);
    const [record] = (await place.read(id)).ssl?.validation_records ?? [];
    const path = new URL(record?.http_url ?? '').pathname;
    expect(await place.visit('challenge.cert.demo', path)).toEqual({ status: 200, text: record?.http_body });
  });

  test('shows a browser its error page, and escapes everything from the visitor', async () => {
    await place.add('page.cert.demo');
    const page = await place.visit('page.cert.demo', '/<script>', { accept: 'text/html' });
    expect(page.status).toBe(530);
    expect(page.text).toMatch(/cf-error-code">error code: 1016</);
    expect(page.text).not.toContain('<script>');
  });
});
