/** Refuses a cast without a reason: a comment above the cast, above its statement, or above its member. */
export default {
  meta: { name: "casts" },
  rules: { reasoned: { create: createVisitor } },
};

type Node = { type: string; parent?: Node; loc: Span; [part: string]: unknown };
type Span = { start: { line: number }; end: { line: number } };

type Context = {
  sourceCode: { getAllComments(): { loc: Span }[] };
  report(problem: { node: unknown; message: string }): void;
};

const isCarrier = /Statement$|Declaration$|Property$|PropertyDefinition$|MethodDefinition$|JSXAttribute$/;

function createVisitor(context: Context) {
  let lines: Set<number> | undefined;
  /** The last lines of comments. */
  const linesOfComments = (): Set<number> =>
    (lines ??= new Set(context.sourceCode.getAllComments().map(({ loc }) => loc.end.line)));
  return {
    TSAsExpression: (node: Node): void => {
      if (!isConst(node) && !findReasons(node, linesOfComments())) {
        context.report({ node, message: "A cast needs a comment that says why it is true." });
      }
    },
  };
}

function isConst({ typeAnnotation }: Node): boolean {
  const { typeName } = typeAnnotation as { typeName?: { name?: string } };
  return typeName?.name === "const";
}

/** Above the cast, or above whatever holds it up to its statement or member. */
function findReasons(cast: Node, comments: ReadonlySet<number>): boolean {
  for (let node: Node | undefined = cast; node; node = node.parent) {
    if (comments.has(node.loc.start.line - 1) || comments.has(node.loc.start.line)) {
      return true;
    }
    if (isCarrier.test(node.type) && node.type !== "BlockStatement") {
      return false;
    }
  }
  return false;
}
