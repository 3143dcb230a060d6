import { readSourceFiles } from "./source-files.ts";

/** The tables of `work` are the engine's. */
const ofTables = /^packages\/(?:platform|engine)\/src\/(?<service>[\w-]+)\/tables\.ts$/;

/** The service that owns each table, by the keys of the types `<Service>Tables`. */
export const ownersOfTables: ReadonlyMap<string, string> = new Map(
  readSourceFiles().flatMap(({ path, text }) => {
    const service = ofTables.exec(path)?.groups?.["service"];
    const [tables = ""] = service ? (/export type \w+Tables = \{[^}]*\}/.exec(text) ?? []) : [];
    return Array.from(tables.matchAll(/^ {2}(\w+):/gm), ([, table = ""]) => [table, service ?? ""] as const);
  }),
);
