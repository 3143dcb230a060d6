import { indentService } from "@codemirror/language";
import { Decoration, MatchDecorator, ViewPlugin } from "@codemirror/view";
import { classOfToken, jsonTokens } from "../../parts/shown/json-tokens.ts";

const marks = new MatchDecorator({
  regexp: jsonTokens,
  decoration: (match) => Decoration.mark({ class: classOfToken(match) }),
});

/** The same colours as for other JSON in the console, for the lines in sight. */
const colours = ViewPlugin.define(
  (view) => {
    let shown = marks.createDeco(view);
    return {
      get shown() {
        return shown;
      },
      update: (update) => {
        shown = marks.updateDeco(update, shown);
      },
    };
  },
  { decorations: ({ shown }) => shown },
);

/**
 * Indents a line by the number of open brackets before it. A closing bracket has the indentation of the opening line.
 */
const indentation = indentService.of((context, at) => {
  const before = context.state.sliceDoc(0, at).replaceAll(jsonTokens, "");
  const opened = before.replaceAll(/[^[{]/g, "").length - before.replaceAll(/[^\]}]/g, "").length;
  const isClosed = /^\s*[\]}]/.test(context.textAfterPos(at));
  return Math.max(0, opened - (isClosed ? 1 : 0)) * context.unit;
});

/** JSON by its tokens alone, for colours and indentation, because a language of CodeMirror brings a parser. */
export const jsonLanguage = [colours, indentation];
