import type { Finding } from "./check-text.ts";

/** The findings that are left, by folder. A folder without findings is not named. */
export type Left = Readonly<Record<string, number>>;

export type Verdict = {
  /** Folders that have more findings than noted. */
  more: { folder: string; noted: number; found: number }[];
  /** Folders that have fewer: their number is lowered. */
  fewer: { folder: string; noted: number; found: number }[];
};

/**
 * A part of a room that one person rewrites: `packages/platform/src/ledger`, `openapi/components/schemas`, `docs/adr`.
 */
export function folderOf(path: string): string {
  const folders = path.split("/").slice(0, -1);
  const depth = /^(?:apps|packages)$/.test(folders[0] ?? "") ? 4 : folders[0] === "openapi" ? 3 : 2;
  return folders.slice(0, depth).join("/") || ".";
}

/** `packages/platform`, `docs/adr`, `openapi`: the unit of `--count`. */
export function roomOf(path: string): string {
  return /^(?:(?:apps|packages|docs)\/[^/]+|[^/]+(?=\/))/.exec(path)?.[0] ?? ".";
}

export function countBy(findings: readonly Finding[], keyOf: (finding: Finding) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const finding of findings) {
    counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1);
  }
  return counts;
}

export function compareWithLeft(findings: readonly Finding[], left: Left): Verdict {
  const counts = countBy(findings, ({ path }) => folderOf(path));
  const folders = [...new Set([...counts.keys(), ...Object.keys(left)])].toSorted();
  const rows = folders.map((folder) => ({ folder, noted: left[folder] ?? 0, found: counts.get(folder) ?? 0 }));
  return {
    more: rows.filter(({ noted, found }) => found > noted),
    fewer: rows.filter(({ noted, found }) => found < noted),
  };
}

/** Lowers the numbers to the current findings. No number rises, and a folder at 0 is no longer named. */
export function lowerLeft(left: Left, { fewer }: Verdict): Left {
  const lower = new Map(fewer.map(({ folder, found }) => [folder, found]));
  return Object.fromEntries(
    Object.entries(left)
      .map(([folder, noted]): [string, number] => [folder, lower.get(folder) ?? noted])
      .filter(([, noted]) => noted > 0),
  );
}
