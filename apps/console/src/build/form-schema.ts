export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The control that shows a schema of the document. Limits of values are checked by the API alone. */
export type FormSchema = {
  about?: string;
  /** The document's example, otherwise its default: what a part that is added begins with. */
  start?: Json;
} & (
  | { kind: "object"; properties: readonly FormProperty[] }
  /** Names of the caller's own, such as metadata. */
  | { kind: "map"; values: FormSchema }
  | { kind: "list"; items: FormSchema }
  | { kind: "text"; isSecret?: true }
  | { kind: "number"; isWhole: boolean; minimum?: number; maximum?: number }
  | { kind: "boolean" }
  | { kind: "choice"; values: readonly (string | number | boolean)[] }
  /** The value `null`. */
  | { kind: "nothing" }
  | { kind: "union"; options: readonly FormSchema[] }
  /** What has no control of its own is written as JSON. */
  | { kind: "json" }
);

export type FormProperty = { name: string; isRequired: boolean; schema: FormSchema };

export type FormParameter = {
  name: string;
  in: "path" | "query" | "header";
  isRequired: boolean;
  about: string;
  schema: FormSchema;
  /** As it is written in an address. */
  example: string;
};

/** One operation of the document, as a form. */
export type OperationForm = {
  about: string;
  /** Where the documentation's reference has it, from its root. */
  reference: string;
  parameters: readonly FormParameter[];
  body: null | {
    isRequired: boolean;
    schema: FormSchema;
    examples: readonly { name: string; value: Json }[];
  };
};
