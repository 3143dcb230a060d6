import type { Schemas } from "@gateway/contract";

export type AuditChange = Schemas["AuditChange"];

/** Fields that every resource has, that the event reports elsewhere, or that the caller did not change. */
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

/** The fields that differ between two presented states of a resource. Null: the resource does not exist. */
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

/** Leaves out values with fields of their own, such as metadata. */
function isAuditValue(value: unknown): value is AuditChange["before"] {
  return (
    ["string", "number", "boolean"].includes(typeof value) ||
    (Array.isArray(value) && value.every((element) => typeof element === "string"))
  );
}
