export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The control that shows a schema of the document. Limits of values are checked by the API alone. */
export type FormSchema = {
  about?: string;
  /** The document's example, otherwise its default: the first value of an added part. */
  start?: Json;
} & (
  | { kind: "object"; properties: readonly FormProperty[] }
  /** Names that the caller chooses, such as metadata. */
  | { kind: "map"; values: FormSchema }
  | { kind: "list"; items: FormSchema }
  | { kind: "text"; isSecret?: true }
  | { kind: "number"; minimum?: number }
  | { kind: "boolean" }
  | { kind: "choice"; values: readonly (string | number | boolean)[] }
  /** The value `null`. */
  | { kind: "nothing" }
  | { kind: "union"; options: readonly FormSchema[] }
  /** A value without a control of its own is written as JSON. */
  | { kind: "json" }
);

type FormProperty = { name: string; isRequired: boolean; schema: FormSchema };

export type FormParameter = {
  name: string;
  in: "path" | "query" | "header";
  isRequired: boolean;
  about: string;
  schema: FormSchema;
  /** The example as written in an address. */
  example: string;
};

/** One operation of the document, as a form. */
export type OperationForm = {
  about: string;
  /** The address of the operation in the documentation's reference, from its root. */
  reference: string;
  parameters: readonly FormParameter[];
  body: null | {
    isRequired: boolean;
    schema: FormSchema;
    examples: readonly { name: string; value: Json }[];
  };
};
