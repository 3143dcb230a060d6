/**
 * Refuses divisions, fractions and roundings in folders that handle amounts (.oxlintrc.json), because amounts are
 * integers to 2^53 - 1. An operation with a BigInt literal is one of BigInts.
 */
export default {
  meta: { name: "amounts" },
  rules: { exact: { create: createVisitor } },
};

/** A node of ESTree with the parts that are read here. */
type Node = {
  type: string;
  operator?: string;
  name?: string;
  value?: unknown;
  left?: Node;
  right?: Node;
  object?: Node;
  property?: Node;
};

type Context = { report(problem: { node: unknown; message: string }): void };

const inexactMath = /^(?:round|floor|ceil|trunc|fround|pow|sqrt|cbrt|exp|log\w*|random)$/;

function createVisitor(context: Context) {
  const refuse = (node: unknown, what: string): void =>
    context.report({ node, message: `${what}, and amounts are exact: calculate with BigInt, or move digits as text.` });
  const checkOperator = (node: Node): void => {
    const { left, right, operator = "" } = node;
    if (/^(?:\/|\*\*)=?$/.test(operator) && !isBigInt(left) && !isBigInt(right)) {
      refuse(node, `${operator} gives a floating point number`);
    }
  };
  return {
    BinaryExpression: checkOperator,
    AssignmentExpression: checkOperator,
    Literal: (node: Node): void => {
      if (typeof node.value === "number" && !Number.isSafeInteger(node.value)) {
        refuse(node, `${node.value} is not a safe integer`);
      }
    },
    Identifier: (node: Node): void => {
      if (/^(?:parseFloat|toFixed|toPrecision|toExponential|Float\d+Array)$/.test(node.name ?? "")) {
        refuse(node, `${node.name} is for floating point numbers`);
      }
    },
    MemberExpression: (node: Node): void => {
      const { object, property } = node;
      if (object?.name === "Math" && inexactMath.test(property?.name ?? "")) {
        refuse(node, `Math.${property?.name} is for floating point numbers`);
      }
    },
  };
}

function isBigInt(node: Node | undefined): boolean {
  return typeof node?.value === "bigint";
}
