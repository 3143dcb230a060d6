import { readFile } from "node:fs/promises";
import { objectOf, type Json, type JsonObject } from "../../src/compare/json.ts";

/** The gateway's document as it is published from this repository. */
export async function readOwnDocument(): Promise<JsonObject> {
  const file = new URL("../../../../packages/contract/src/generated/openapi.json", import.meta.url);
  return objectOf(JSON.parse(await readFile(file, "utf8")) as Json);
}
