import type { CommandRow } from '../../parsing/command.ts';

/** What the sandbox's caller plays: customers' DNS, and time. */
export const sandboxWorldRows: readonly CommandRow[] = [
  {
    words: 'sandbox dns set',
    about: 'Set what the DNS of customers says',
    effect: 'write',
    needs: 'nothing',
    load: async () => (await import('./dns.ts')).dnsSetCommand,
  },
  {
    words: 'sandbox dns unset',
    about: 'Take away what the DNS of customers says',
    effect: 'write',
    needs: 'nothing',
    load: async () => (await import('./dns.ts')).dnsUnsetCommand,
  },
  {
    words: 'sandbox dns list',
    about: 'List what the DNS of customers says',
    effect: 'read',
    needs: 'nothing',
    load: async () => (await import('./dns.ts')).dnsListCommand,
  },
  {
    words: 'sandbox clock advance',
    about: "Move the embedded platform's clock ahead",
    effect: 'write',
    needs: 'nothing',
    load: async () => (await import('./clock.ts')).clockAdvanceCommand,
  },
  {
    words: 'sandbox clock show',
    about: "Show the embedded platform's clock",
    effect: 'read',
    needs: 'nothing',
    load: async () => (await import('./clock.ts')).clockShowCommand,
  },
];
