const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** A number of bytes for people, in powers of 1,000: `512 B`, `1.4 MB`, `26 MB`. */
export function formatSize(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1000;
    unit++;
  }
  const shown = unit === 0 || amount >= 9.95 ? Math.round(amount).toString() : amount.toFixed(1);
  return `${shown} ${units[unit]}`;
}

/** A whole number with its digits in groups: `1,234,567`. */
export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
