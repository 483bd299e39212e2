const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Formats a number of bytes for people, in powers of 1,024 like the platform's limits: `512 B`, `1.4 MiB`, `25 MiB`. */
export function formatSize(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 1023.5 && unit < units.length - 1) {
    amount /= 1024;
    unit++;
  }
  const shown = unit === 0 || amount >= 9.95 ? Math.round(amount).toString() : amount.toFixed(1);
  return `${shown} ${units[unit]}`;
}

/** Formats a whole number with digit groups: `1,234,567`. */
export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
