import type { ProblemDetail } from "@gateway/contract";
import { parse as parseQuery } from "node:querystring";
import type { Parameter, PreparedOperation } from "./eov.ts";
import { describeIssues, maxIssues } from "./field-issues.ts";

export type UncheckedRequest = {
  /** The request target as it arrived, query included. */
  target: string;
  headers: object;
  /** Path parameters, percent-decoded. */
  params: Record<string, string>;
  /** The parsed body, or undefined when there is none. */
  body: unknown;
};

/** `query` holds converted values and defaults; it means something only when there are no issues. */
export type CheckedRequest = { issues: readonly ProblemDetail[]; query: Record<string, unknown> };

export type RequestCheck = (request: UncheckedRequest) => CheckedRequest;

/**
 * Holds a request against one operation of the document. The schemas are EOV's, compiled at the start; its request handler is not used,
 * because it parses the URL and the parameters anew each time, which costs twice the validation (docs/adr/0003).
 */
export function createRequestCheck(operation: PreparedOperation): RequestCheck {
  const queryRules = new Map(
    operation.parameters.filter(({ in: place }) => place === "query").map((one) => [one.name, createTextRule(one)]),
  );
  const headerNames = new Map(
    operation.parameters.filter(({ in: place }) => place === "header").map(({ name }) => [name.toLowerCase(), name]),
  );
  const { parameterSchema, bodySchema } = operation;

  return ({ target, headers, params, body }) => {
    const queryStart = target.indexOf("?");
    const query: Record<string, unknown> = queryStart === -1 ? {} : readQuery(target.slice(queryStart + 1));
    const issues = queryStart === -1 ? [] : takeOddParameters(query, queryRules);
    const data = { query, headers, params, body };
    const areParametersValid = parameterSchema(data);
    const isBodyValid = bodySchema(data);
    if (!areParametersValid || !isBodyValid) {
      issues.push(...describeIssues([...(parameterSchema.errors ?? []), ...(bodySchema.errors ?? [])], headerNames));
    }
    return { issues: issues.slice(0, maxIssues), query };
  };
}

/** Node reads the first 1000 pairs only, unless told otherwise: what stands behind them would go unjudged. The headers' size bounds it. */
function readQuery(text: string): Record<string, unknown> {
  return { ...parseQuery(text, "&", "=", { maxKeys: 0 }) };
}

/** What is wrong with the text of a query parameter, before any schema sees it. */
type TextRule = (text: string) => string | null;

/**
 * ajv reads a number from any text that JavaScript takes for one: 0x10, 1e1, 5.0, a leading space. The document says integer, and a
 * client that sends those has a fault that it wants to know.
 */
function createTextRule(parameter: Parameter): TextRule {
  switch (parameter.schema?.type) {
    case "integer":
      return (text) => (/^(?:0|-?[1-9][0-9]{0,15})$/.test(text) ? null : "must be a whole number in decimal digits");
    case "string":
      return () => null;
    default:
      throw new Error(
        `The query parameter ${parameter.name} is neither an integer nor a string; give its text a rule here first.`,
      );
  }
}

/** Takes out of the query what no schema can judge, so that the other parameters are still checked. */
function takeOddParameters(query: Record<string, unknown>, rules: ReadonlyMap<string, TextRule>): ProblemDetail[] {
  const issues: ProblemDetail[] = [];
  for (const [name, value] of Object.entries(query)) {
    const issue = oddnessOf(value, rules.get(name));
    if (issue !== null) {
      delete query[name];
      issues.push({ field: name.slice(0, 100) || "query", issue });
    }
  }
  return issues;
}

function oddnessOf(value: unknown, rule: TextRule | undefined): string | null {
  if (!rule) {
    return "is not a known query parameter";
  }
  if (typeof value !== "string") {
    return "must be sent only once";
  }
  return value === "" ? "must not be empty" : rule(value);
}
