import { readFileSync } from "node:fs";

/** The columns of access-table.txt: what a caller may come with. */
export const credentialKinds = [
  "none",
  "malformed",
  "unknown",
  "read",
  "write",
  "admin",
  "revoked",
  "expired",
  "otherEnvironment",
  "twoCredentials",
  "bearer",
] as const;

export type CredentialKind = (typeof credentialKinds)[number];

/** access-table.txt: for each operation the status that each credential gets. Written by hand, so that the code cannot agree with itself. */
export function readAccessTable(): Map<string, Record<CredentialKind, number>> {
  const text = readFileSync(new URL("../access-table.txt", import.meta.url), "utf8");
  const [head = [], ...rows] = text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ +/));
  if (head.join() !== ["operation", ...credentialKinds].join()) {
    throw new Error(`access-table.txt has other columns than: ${credentialKinds.join(", ")}`);
  }
  return new Map(rows.map(([operationId = "", ...statuses]) => [operationId, rowOf(statuses)]));
}

function rowOf(statuses: readonly string[]): Record<CredentialKind, number> {
  // One status for each column; a hole becomes NaN, which no answer equals.
  return Object.fromEntries(credentialKinds.map((kind, at) => [kind, Number(statuses[at])])) as Record<
    CredentialKind,
    number
  >;
}
