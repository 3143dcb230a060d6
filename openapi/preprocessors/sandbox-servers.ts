import type { PathItem, Server } from "../rules/rule.ts";

/** A path of the sandbox alone gets the one server that has it, from those of the document. */
export function sandboxServers() {
  let servers: Server[] = [];
  return {
    Root: (root: { servers?: readonly Server[] }): void => {
      servers = (root.servers ?? []).filter(({ description }) => description === "Sandbox");
    },
    PathItem: (item: PathItem): void => {
      if (item["x-sandbox"] === true) {
        item.servers ??= structuredClone(servers);
      }
    },
  };
}
