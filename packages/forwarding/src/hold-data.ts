import { enforcedOpenapi, type Schemas } from "@gateway/contract";
import addFormats from "ajv-formats";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { upstreamInvalidAnswer } from "./upstream-fault.ts";

/** Schemas that our services request from upstreams. */
type AskedSchema = "Instrument" | "PriceRound" | "Quote";

/** Rejects data that does not fit the document's closed schema. The message names places and rules, no values. */
export type HoldData = <Name extends AskedSchema>(name: Name, data: unknown) => Schemas[Name];

export function createHoldData(): HoldData {
  const ajv = new Ajv2020({ strict: false, strictNumbers: true, validateSchema: false });
  // "fast" accepts the 30th of February as a date.
  addFormats.default(ajv, { mode: "full" });
  ajv.addSchema(enforcedOpenapi(), "document");
  const compile = (name: AskedSchema): ValidateFunction =>
    ajv.compile({ $ref: `document#/components/schemas/${name}` });
  const checks = { Instrument: compile("Instrument"), PriceRound: compile("PriceRound"), Quote: compile("Quote") };
  return <Name extends AskedSchema>(name: Name, data: unknown) => {
    const check = checks[name];
    if (!check(data)) {
      throw upstreamInvalidAnswer(`The response is not a ${name}: ${ajv.errorsText(check.errors, { dataVar: name })}`);
    }
    // Data that fits the schema has its type.
    return data as Schemas[Name];
  };
}

export function holdList<Name extends AskedSchema>(hold: HoldData, name: Name, data: unknown): Schemas[Name][] {
  if (!Array.isArray(data)) {
    throw upstreamInvalidAnswer("The response is not a list.");
  }
  return data.map((one) => hold(name, one));
}
