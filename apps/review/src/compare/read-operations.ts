import { isObject, listOf, objectOf, omit, pick, textOf, type JsonObject } from "./json.ts";
import { resolve } from "./resolve.ts";

/** An operation, combined with the keywords of its path. */
export type Operation = {
  /** Equal for the same method and path, whatever the parameters in the path are called. */
  key: string;
  name: string;
  address: string;
  path: string;
  operation: JsonObject;
  parameters: ReadonlyMap<string, Parameter>;
};

export type Parameter = { name: string; in: string; component: string | null; value: JsonObject };

const methods: readonly string[] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const ofThePath: readonly string[] = ["parameters", "summary", "description", ...methods];
/** Holds the texts of the path, apart from those of the operation. */
export const pathTexts = "path texts";

/** The operations of `paths`, or those of `webhooks`, whose names are the types of events. */
export function readOperations(document: JsonObject, section: "paths" | "webhooks"): Map<string, Operation> {
  const operations = Object.entries(objectOf(document[section])).flatMap(([path, reference]) => {
    const { value: item } = resolve(document, reference);
    return methods
      .filter((method) => isObject(item[method]))
      .map((method) => readOperation(document, { section, path, item, method }));
  });
  return new Map(operations.map((operation) => [operation.key, operation]));
}

type Source = { section: "paths" | "webhooks"; path: string; item: JsonObject; method: string };

function readOperation(document: JsonObject, { section, path, item, method }: Source): Operation {
  const own = objectOf(item[method]);
  const address = section === "paths" ? `${method.toUpperCase()} ${path}` : "";
  return {
    key: `${method} ${path.replaceAll(/\{[^}]*\}/g, "{}")}`,
    name: section === "paths" ? (textOf(own["operationId"]) ?? address) : path,
    address,
    path,
    operation: { ...omit(item, ofThePath), ...own, [pathTexts]: pick(item, ["summary", "description"]) },
    parameters: readParameters(document, path, [...listOf(item["parameters"]), ...listOf(own["parameters"])]),
  };
}

/** Parameters by place and name; those in the path by order. The operation's parameters override the path's. */
function readParameters(document: JsonObject, path: string, references: JsonObject[string][]): Map<string, Parameter> {
  const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  return new Map(
    references.map((reference) => {
      const { value, component } = resolve(document, reference);
      const [name, place] = [textOf(value["name"]) ?? "", textOf(value["in"]) ?? ""];
      const key = place === "path" ? String(inPath.indexOf(name)) : place === "header" ? name.toLowerCase() : name;
      return [`${place} ${key}`, { name, in: place, component, value }];
    }),
  );
}
