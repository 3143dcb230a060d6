import { hash } from "node:crypto";
import { canonical, isObject, omit, type Json, type JsonObject } from "./json.ts";
import { lookUp } from "./resolve.ts";

/** `loops` is true when a reference inside leads back to a schema that is still being printed. */
type Print = { text: string; loops: boolean };

/**
 * Prints schemas of the same meaning as the same string, whatever the names of components and the order of keys. A
 * component in many places is printed once, because an operation spelled out is hundreds of kilobytes.
 */
export function createPrinter(document: JsonObject): (value: Json | undefined) => string {
  const known = new Map<Json | string, string>();

  function print(value: Json | undefined, open: readonly string[]): Print {
    if (Array.isArray(value)) {
      const items = value.map((one: Json) => print(one, open));
      return { text: `[${items.map(({ text }) => text).join()}]`, loops: items.some(({ loops }) => loops) };
    }
    if (!isObject(value)) {
      return { text: canonical(value), loops: false };
    }
    return printOnce(value, () => {
      const reference = value["$ref"];
      return typeof reference === "string" ? printReference(value, reference, open) : printFields(value, open);
    });
  }

  function printReference(value: JsonObject, reference: string, open: readonly string[]): Print {
    const at = open.indexOf(reference);
    if (at >= 0) {
      return { text: `loop ${open.length - at}`, loops: true };
    }
    const beside = omit(value, ["$ref"]);
    const expand = (): Print => print({ ...lookUp(document, reference), ...beside }, [...open, reference]);
    return Object.keys(beside).length > 0 ? expand() : printOnce(reference, expand);
  }

  function printFields(value: JsonObject, open: readonly string[]): Print {
    const fields = Object.keys(value)
      .sort()
      .map((key) => ({ key, ...print(value[key], open) }));
    const spelled = fields.map(({ key, text }) => `${JSON.stringify(key)}:${text}`).join();
    return { text: `{${hash("sha256", spelled, "base64")}}`, loops: fields.some(({ loops }) => loops) };
  }

  /** A value that loops is printed each time, because its text depends on the place where the loop was entered. */
  function printOnce(key: JsonObject | string, make: () => Print): Print {
    const text = known.get(key);
    if (text !== undefined) {
      return { text, loops: false };
    }
    const made = make();
    if (!made.loops) {
      known.set(key, made.text);
    }
    return made;
  }

  return (value) => print(value, []).text;
}
