import { isDeepStrictEqual } from "node:util";
import { isObject, listOf, objectOf, omit, textOf, textsOf, type Json, type JsonObject } from "./json.ts";
import { quoteWords } from "./quote-words.ts";
import type { Pair, Scope } from "./scope.ts";

/** The addresses of a document. An address with variables counts as every address that its values produce. */
export function compareServers(scope: Scope): void {
  const base = readServers(scope.documents.base["servers"]);
  const head = readServers(scope.documents.head["servers"]);
  const moved = findMoved({ base, head });
  moved.forEach(({ name, before, after }) => scope.tell({ rule: "server-moved", anchor: name, before, after }));
  const isMoved = (url: string): boolean => moved.some(({ before, after }) => url === before || url === after);
  [...base.keys()]
    .filter((url) => !head.has(url) && !isMoved(url))
    .forEach((url) => scope.tell({ rule: "server-removed", anchor: url }));
  [...head.keys()]
    .filter((url) => !base.has(url) && !isMoved(url))
    .forEach((url) => scope.tell({ rule: "server-added", anchor: url }));
  const kept = [...base.keys()].filter((url) => !isMoved(url));
  compareWords(scope, "document-text-changed", { base, head, kept });
}

/**
 * Compares the servers that replace the document's servers for an operation or its path. A change of the document's own
 * servers is not repeated for each operation.
 */
export function compareOwnServers(scope: Scope, operations: Pair<JsonObject>): void {
  if (operations.base["servers"] === undefined && operations.head["servers"] === undefined) {
    return;
  }
  const shared = {
    base: readServers(scope.documents.base["servers"]),
    head: readServers(scope.documents.head["servers"]),
  };
  const base = serversOf(operations.base, shared.base);
  const head = serversOf(operations.head, shared.head);
  const isTold = (url: string): boolean => shared.base.has(url) !== shared.head.has(url);
  const lost = [...base.keys()].filter((url) => !head.has(url) && !isTold(url));
  const gained = [...head.keys()].filter((url) => !base.has(url) && !isTold(url));
  const anchor = scope.place.name;
  if (lost.length > 0) {
    scope.tell({ rule: "operation-moved", anchor, before: quoteUrls(base), after: quoteUrls(head) });
  } else if (gained.length > 0) {
    scope.tell({ rule: "operation-server-added", anchor, after: gained.sort().join(", ") });
  }
  const isShared = (servers: Servers, all: Servers, url: string): boolean =>
    isDeepStrictEqual(servers.get(url), all.get(url));
  const kept = [...base.keys()].filter((url) => !isShared(base, shared.base, url) || !isShared(head, shared.head, url));
  compareWords(scope, "operation-text-changed", { base, head, kept });
}

/** The document's servers that serve this operation: the direct addresses of other services do not. */
function serversOf({ servers, "x-service": service }: JsonObject, shared: Servers): Servers {
  if (servers !== undefined) {
    return readServers(servers);
  }
  return new Map([...shared].filter(([, words]) => [undefined, service].includes(directServiceOf(words))));
}

/** The service that a direct address belongs to. Earlier documents named it only in the description. */
function directServiceOf({ "x-service": service, description }: JsonObject): string | undefined {
  return textOf(service) ?? /`x-service` is `(?<name>[\w-]+)`/.exec(textOf(description) ?? "")?.groups?.["name"];
}

function quoteUrls(servers: Servers): string {
  return [...servers.keys()].sort().join(", ");
}

type Servers = ReadonlyMap<string, JsonObject>;
type Move = { name: string; before: string; after: string };

/** A server is identified by its description: `Production` at another address has moved. */
function findMoved({ base, head }: Pair<Servers>): Move[] {
  const [before, after] = [byName(base), byName(head)];
  return [...before].flatMap(([name, [url, ...more]]) => {
    const [next, ...others] = after.get(name) ?? [];
    const isOne = name !== "" && more.length === 0 && others.length === 0;
    return isOne && url !== undefined && next !== undefined && url !== next ? [{ name, before: url, after: next }] : [];
  });
}

function byName(servers: Servers): Map<string, string[]> {
  const named = Map.groupBy(servers, ([, words]) => textOf(words["description"]) ?? "");
  return new Map([...named].map(([name, entries]) => [name, entries.map(([url]) => url)]));
}

function compareWords(
  scope: Scope,
  rule: "document-text-changed" | "operation-text-changed",
  { base, head, kept }: Pair<Servers> & { kept: readonly string[] },
): void {
  const urls = kept.filter((url) => head.has(url));
  const saidOf = (servers: Servers): JsonObject => Object.fromEntries(urls.map((url) => [url, servers.get(url) ?? {}]));
  const words = quoteWords({ base: saidOf(base), head: saidOf(head) });
  if (words !== null) {
    scope.tell({ rule, anchor: `${scope.place.name}.servers`, ...words });
  }
}

function readServers(list: Json | undefined): Servers {
  const servers = listOf(list).filter(isObject);
  return new Map(servers.flatMap((server) => addressesOf(server).map((address) => [address, omit(server, ["url"])])));
}

function addressesOf(server: JsonObject): string[] {
  return Object.entries(objectOf(server["variables"])).reduce(
    (addresses, [name, variable]) => {
      const { default: usual, enum: values } = objectOf(variable);
      const all = values === undefined ? textsOf([usual ?? ""]) : textsOf(values);
      return all.flatMap((value) => addresses.map((address) => address.replaceAll(`{${name}}`, value)));
    },
    // Paths begin with a slash, so a slash at the end means nothing.
    [(textOf(server["url"]) ?? "").replace(/\/$/, "")],
  );
}
