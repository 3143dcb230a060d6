import { codesShownBy } from "../preprocessors/problem-responses.ts";
import { declaredResponses } from "./resolve.ts";
import type { Location, Rule } from "./rule.ts";

/** Each code of an operation's `x-problems` is an ErrorCode and has an example under its status. */
export const problemCodes: Rule = () => {
  let known: Readonly<Record<string, { status: number }>> = {};
  const named: { code: string; shown: readonly [status: string, code: string][]; location: Location }[] = [];
  return {
    Schema: (schema) => {
      known = schema["x-codes"] ?? known;
    },
    Paths: {
      PathItem: {
        Operation: (operation, context) => {
          const location = context.location.child(["x-problems"]).key();
          const codes = operation["x-problems"] ?? [];
          const shown = declaredResponses(operation, context).flatMap(({ node, status }) =>
            codesShownBy(node).map((code): [string, string] => [status, code]),
          );
          for (const code of new Set(shown.map(([, one]) => one)).difference(new Set(codes))) {
            context.report({ message: `A response shows ${code}, which x-problems does not name.`, location });
          }
          named.push(...codes.map((code) => ({ code, shown, location })));
        },
      },
    },
    Root: {
      leave: (_root, context) => {
        for (const { code, shown, location } of named) {
          const status = known[code]?.status;
          if (status === undefined) {
            context.report({ message: `x-problems names ${code}, which is not a code of ErrorCode.`, location });
          } else if (!shown.some((one) => one[0] === String(status) && one[1] === code)) {
            context.report({ message: `The response ${status} must show ${code}, which x-problems names.`, location });
          }
        }
      },
    },
  };
};
