import type { Change, ChangeLocation } from "./compare/change.ts";

/** The callers of a document. An unlisted document is called by consumers. */
const callers: Readonly<Record<string, string>> = { "auth.yaml": "applications of people" };

/** Descriptions of the affected people, one for each group: "consumers that call listWallets". */
export function audienceOf(change: Change, places: readonly ChangeLocation[]): string[] {
  const groups = Map.groupBy(places, (place) => groupOf(change, place));
  return [...groups].map(([group, members]) => {
    const names = [...new Set(members.map(({ name }) => name))];
    return group.replace("{names}", listNames(names));
  });
}

function groupOf({ rule, value, before, after }: Change, { document, kind }: ChangeLocation): string {
  const who = callers[document] ?? "consumers";
  if (/text-changed$|^document-(?:added|policy|changed)/.test(rule)) {
    return "readers of the document";
  }
  if (/^schema-|list-(?:opened|closed)$/.test(rule)) {
    return "users of the client and of generated types";
  }
  if (/^client-method|^operation-renamed$|^parameter-renamed$/.test(rule)) {
    return "users of the client and of generated clients that call {names}";
  }
  if (rule.startsWith("emits-")) {
    return `receivers of ${value ?? "the event"} that {names} causes`;
  }
  if (rule.startsWith("permission-")) {
    return `holders of ${rule === "permission-raised" ? before : after} keys and tokens that call {names}`;
  }
  if (rule.startsWith("credential-")) {
    return `${who} that call {names} with ${value ?? "this"}`;
  }
  if (rule === "service-changed") {
    return `${who} that call {names} at the service's own address`;
  }
  if (kind === "event") {
    return "receivers of {names}";
  }
  return kind === "operation" ? `${who} that call {names}` : `${who} of all operations`;
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, 4);
  return names.length > 5 ? `${shown.join(", ")} and ${names.length - 4} more` : names.join(", ");
}
