import type { RequestParts } from "./request-parts.ts";
import type { RequestSchema, Resolve, Schema } from "./request-schema.ts";

/** A place of a request that a mutation can change. */
export type Place = {
  in: Exclude<keyof RequestParts, "ampersands">;
  /** The path in the body, or the name of a parameter. Empty for the whole body and the whole query. */
  steps: readonly string[];
  /** The name that a detail has for it. */
  field: string;
  /** The schema without references, and without the branch that allows null. */
  schema: Schema;
  isNullable: boolean;
  /** Whether it may be left out. `bound`: the outcome depends on the other members. */
  presence: "required" | "optional" | "bound";
  /** The value before the mutation. */
  value: unknown;
};

/**
 * Every place of the request that the document describes. A list is represented by its first entry, a map by its
 * first member.
 */
export function placesOf(request: RequestParts, { parameters, body, resolve }: RequestSchema): Place[] {
  const ofParameters = parameters.map((parameter): Place => {
    const isHeader = parameter.in === "header";
    const name = isHeader ? parameter.name.toLowerCase() : parameter.name;
    const kind = ({ path: "params", query: "query", header: "headers" } as const)[parameter.in] ?? "query";
    const texts = kind === "query" ? Object.fromEntries(request.query) : request[kind];
    return {
      in: kind,
      steps: [name],
      field: parameter.name,
      ...withoutNull(parameter.schema, resolve),
      presence: parameter.required ? "required" : "optional",
      value: texts[name],
    };
  });
  const query: Place = {
    in: "query",
    steps: [],
    field: "query",
    schema: { type: "object", properties: Object.fromEntries(request.query.map(([name]) => [name, {}])) },
    isNullable: false,
    presence: "bound",
    value: {},
  };
  const whole = { schema: body ?? {}, presence: "required", value: request.body } as const;
  return [...ofParameters, query, ...(body ? placesInBody({ ...whole, steps: [] }, resolve) : [])];
}

type BodyPlace = Pick<Place, "presence" | "steps" | "schema" | "value">;

function placesInBody({ schema, steps, presence, value }: BodyPlace, resolve: Resolve): Place[] {
  const known = withoutNull(schema, resolve);
  const place: Place = { in: "body", steps, field: steps.join(".") || "body", presence, value, ...known };
  return [place, ...insideOf(place).flatMap((inner) => placesInBody(inner, resolve))];
}

function insideOf({ schema, steps, value }: Place): BodyPlace[] {
  const { properties = {}, required = [], minProperties, additionalProperties, items } = schema;
  if (Array.isArray(value)) {
    return [{ steps: [...steps, "0"], schema: items ?? {}, presence: "bound", value: value[0] as unknown }];
  }
  if (typeof value !== "object" || value === null) {
    return [];
  }
  const members = Object.entries(value).map(([name, entry]): BodyPlace[] => {
    const isRequired = required.includes(name);
    const presence = isRequired ? "required" : minProperties === undefined ? "optional" : "bound";
    return [{ steps: [...steps, name], schema: properties[name] ?? {}, presence, value: entry as unknown }];
  });
  const isMap = typeof additionalProperties === "object";
  const ofMap = isMap ? [members[0] ?? []].flat().map((member) => ({ ...member, schema: additionalProperties })) : [];
  return isMap ? ofMap : members.flat();
}

function withoutNull(schema: Schema, resolve: Resolve): Pick<Place, "schema" | "isNullable"> {
  const resolved = resolve(schema);
  const branches = resolved.anyOf?.map(resolve) ?? [];
  const [other] = branches.filter(({ type }) => type !== "null");
  return other ? { schema: other, isNullable: true } : { schema: resolved, isNullable: false };
}
