import type { Schemas } from "@gateway/contract";

export type AuditChange = Schemas["AuditChange"];

/** Of every resource, and said elsewhere in the event; or not the caller's doing. */
const unsaid: readonly string[] = [
  "id",
  "createdAt",
  "createdBy",
  "rollDueAt",
  "lastUsedAt",
  "lastUsedFrom",
  "lastSeenAt",
  "peopleCount",
  "statusChangedAt",
  "secret",
];

/** The fields that differ between two states of a resource as it is presented; null: it is not there. */
export function changesBetween(before: object | null, after: object | null): AuditChange[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  const fields = new Set([...old.keys(), ...now.keys()]);
  return [...fields]
    .map((field) => ({ field, before: old.get(field) ?? null, after: now.get(field) ?? null }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

function valuesOf(resource: object | null): Map<string, AuditChange["before"]> {
  const entries = Object.entries(resource ?? {}).filter(([field]) => !unsaid.includes(field));
  return new Map(entries.flatMap(([field, value]) => (isAuditValue(value) ? [[field, value]] : [])));
}

/** What has fields of its own, such as metadata, is left out. */
function isAuditValue(value: unknown): value is AuditChange["before"] {
  return (
    ["string", "number", "boolean"].includes(typeof value) ||
    (Array.isArray(value) && value.every((element) => typeof element === "string"))
  );
}
