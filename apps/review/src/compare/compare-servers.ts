import { canonical, isObject, listOf, objectOf, omit, textOf, textsOf, type JsonObject } from "./json.ts";
import type { Scope } from "./scope.ts";

/** The addresses of a document. One with variables is all the addresses that they make of it; what else is said of them are words. */
export function compareServers(scope: Scope): void {
  const base = readServers(scope.documents.base);
  const head = readServers(scope.documents.head);
  [...base.keys()]
    .filter((url) => !head.has(url))
    .forEach((url) => scope.tell({ rule: "server-removed", anchor: url }));
  [...head.keys()].filter((url) => !base.has(url)).forEach((url) => scope.tell({ rule: "server-added", anchor: url }));
  if ([...base].some(([url, words]) => head.has(url) && head.get(url) !== words)) {
    scope.tell({ rule: "document-text-changed", anchor: `${scope.place.name}.servers` });
  }
}

/** By address, what else is said of it. */
function readServers(document: JsonObject): Map<string, string> {
  const servers = listOf(document["servers"]).filter(isObject);
  return new Map(
    servers.flatMap((server) => addressesOf(server).map((address) => [address, canonical(omit(server, ["url"]))])),
  );
}

function addressesOf(server: JsonObject): string[] {
  return Object.entries(objectOf(server["variables"])).reduce(
    (addresses, [name, variable]) => {
      const { default: usual, enum: values } = objectOf(variable);
      const all = values === undefined ? textsOf([usual ?? ""]) : textsOf(values);
      return all.flatMap((value) => addresses.map((address) => address.replaceAll(`{${name}}`, value)));
    },
    [textOf(server["url"]) ?? ""],
  );
}
