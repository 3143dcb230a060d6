/** The kind and the end of an id, which tell two apart: `wal_…q2c3d4`. */
export function shortId(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-6)}`;
}
