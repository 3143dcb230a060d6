/** Refuses a cast without a reason: a comment above the cast, above its statement, or above its member. */
export default {
  meta: { name: "casts" },
  rules: { reasoned: { create: createVisitor } },
};

/** A node of ESTree. `typeAnnotation` is the type of a cast. */
type Node = { type: string; parent?: Node; loc: Span; typeAnnotation?: { typeName?: { name?: string } } };
type Span = { start: { line: number; column: number }; end: { line: number } };

type Context = {
  sourceCode: { lines: readonly string[]; getAllComments(): { value: string; loc: Span }[] };
  report(problem: { node: unknown; message: string }): void;
};

/** An instruction to a tool says nothing about a cast. */
const isDirective = /^\s*(?:@ts-|oxlint-|eslint-)/;

const isCarrier = /Statement$|Declaration$|Property$|PropertyDefinition$|MethodDefinition$|JSXAttribute$/;

function createVisitor(context: Context) {
  let reasons: Reasons | undefined;
  return {
    TSAsExpression: (node: Node): void => {
      if (!isConst(node) && !hasReason(node, (reasons ??= findReasons(context)))) {
        context.report({ node, message: "A cast needs a comment that says why it is true." });
      }
    },
  };
}

function isConst({ typeAnnotation }: Node): boolean {
  return typeAnnotation?.typeName?.name === "const";
}

/** The lines where comments end. `alone`: only punctuation precedes the comment, so it is about what follows. */
type Reasons = { all: ReadonlySet<number>; alone: ReadonlySet<number> };

function findReasons({ sourceCode }: Context): Reasons {
  const comments = sourceCode.getAllComments().filter(({ value }) => !isDirective.test(value));
  const isAlone = ({ loc: { start } }: { loc: Span }): boolean =>
    /^[\s?:([{=,&|>]*$/.test((sourceCode.lines[start.line - 1] ?? "").slice(0, start.column));
  const endsOf = (some: typeof comments): Set<number> => new Set(some.map(({ loc }) => loc.end.line));
  return { all: endsOf(comments), alone: endsOf(comments.filter(isAlone)) };
}

/** Above the cast, or above whatever holds it up to its statement or member. */
function hasReason(cast: Node, { all, alone }: Reasons): boolean {
  for (let node: Node | undefined = cast; node; node = node.parent) {
    if (alone.has(node.loc.start.line - 1) || all.has(node.loc.start.line)) {
      return true;
    }
    if (isCarrier.test(node.type) && node.type !== "BlockStatement") {
      return false;
    }
  }
  return false;
}
