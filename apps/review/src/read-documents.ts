import { createHash } from "node:crypto";
import { basename } from "node:path";
import { parse } from "yaml";
import type { ChangeLocation } from "./compare/change.ts";
import type { Documents } from "./compare/compare-documents.ts";
import { objectOf, parseJson, textOf, type Json, type JsonObject } from "./compare/json.ts";
import type { Tree } from "./repository.ts";
import { UsageError } from "./usage-error.ts";

/** The published documents of one version, and their source files. */
export type Version = {
  documents: Documents;
  /** The file of `openapi/` of an operation or event, else that of the document. */
  fileOf(place: ChangeLocation): string | null;
  /** The file of the component that a change's anchor begins with, `components/schemas/ledger/Wallet.yaml`. */
  fileOfComponent(document: string, anchor: string): string | null;
};

/** The folder of the published documents: `wallets.json` is built from `openapi/wallets.yaml`. */
const publishedFolder = "packages/contract/src/generated";
const sourceFolder = "openapi";
/** Current names of renamed documents, by their former names. */
const newNames: Readonly<Record<string, string>> = { identity: "auth" };

/** Reads the checked-in files. No code of the version runs. */
export async function readVersion(tree: Tree): Promise<Version> {
  const files = (await tree.listFiles(publishedFolder)).filter((file) => file.endsWith(".json"));
  const read = await Promise.all(files.map((file) => readDocument(tree, file)));
  const documents = read.filter((one) => one !== null);
  const sources = await tree.listFiles(sourceFolder);
  const roots = new Map(documents.map(({ name, root }) => [name, root]));
  return {
    documents: Object.fromEntries(documents.map(({ name, document }) => [name, document])),
    fileOf: (place) => findFile(roots.get(place.document) ?? {}, place),
    fileOfComponent: (document, anchor) => findComponent(sources, document, anchor),
  };
}

/** Throws a UsageError when the published documents were not built from the current files of `openapi/`. */
export async function expectFresh(tree: Tree): Promise<void> {
  const digest = await tree.readFile(`${publishedFolder}/sources.sha256`);
  if (digest !== null && digest.trim() !== (await digestSources(tree))) {
    throw new UsageError(
      `${publishedFolder} is not made of what ${sourceFolder}/ says in ${tree.label}, so nothing was compared: run "npm run generate", then review again.`,
    );
  }
}

type ReadDocument = { name: string; document: JsonObject; root: JsonObject };

async function readDocument(tree: Tree, file: string): Promise<ReadDocument | null> {
  const document = objectOf(parsePublished((await tree.readFile(file)) ?? "null", `${file} of ${tree.label}`));
  if (!textOf(document["openapi"])?.startsWith("3.")) {
    return null;
  }
  const name = basename(file, ".json");
  const root = await tree.readFile(`${sourceFolder}/${name}.yaml`);
  return { name: `${newNames[name] ?? name}.yaml`, document, root: objectOf(parseYaml(root ?? "")) };
}

function parsePublished(text: string, label: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    throw new UsageError(`${label} cannot be read, so nothing was compared: ${String(error)}`);
  }
}

/** The file serves only to find names of source files, so an unreadable one does not affect the judgements. */
function parseYaml(text: string): Json {
  try {
    // The core schema of YAML 1.2, which is the parser's default, has the values of JSON and no others.
    return parse(text) as Json;
  } catch {
    return null;
  }
}

function findFile(root: JsonObject, { kind, name, address }: ChangeLocation): string | null {
  if (kind === "document") {
    return name;
  }
  const items = objectOf(kind === "event" ? root["webhooks"] : root["paths"]);
  const item = items[kind === "event" ? name : (address.split(" ")[1] ?? "")];
  return textOf(objectOf(item)["$ref"]);
}

/** A file has the name of its component: `Wallet` for schemas, `parameters/Limit` for the rest. */
function findComponent(sources: readonly string[], document: string, anchor: string): string | null {
  const [, kind = "schemas", name] = /^(?:([a-z]\w*)\/)?([A-Z]\w*)/.exec(anchor) ?? [];
  const folder = document === "openapi.yaml" ? "components" : `${basename(document, ".yaml")}/components`;
  const file = sources.find(
    (one) => one.startsWith(`${sourceFolder}/${folder}/${kind}/`) && one.endsWith(`/${name}.yaml`),
  );
  return file === undefined ? null : file.slice(sourceFolder.length + 1);
}

/** Computes the same digest as packages/contract/scripts/digest-sources.ts. The review imports no other package. */
async function digestSources(tree: Tree): Promise<string> {
  const isSource =
    /^openapi\/(?:[^/]+|(?:auth|components|paths|preprocessors|webhooks)\/.+)(?:\.yaml|(?<!\.test)\.ts)$/;
  const hash = createHash("sha256");
  for (const file of (await tree.listFiles(sourceFolder)).filter((name) => isSource.test(name)).sort()) {
    const text = await tree.readFile(file);
    // Git lists a deleted file until the deletion is committed.
    hash.update(text === null ? "" : `${file}\0${text}\0`);
  }
  return hash.digest("hex");
}
