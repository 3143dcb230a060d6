import { indentService } from "@codemirror/language";
import { Decoration, MatchDecorator, ViewPlugin } from "@codemirror/view";
import { classOfToken, jsonTokens } from "../../parts/shown/json-tokens.ts";

const marks = new MatchDecorator({
  regexp: jsonTokens,
  decoration: (match) => Decoration.mark({ class: classOfToken(match) }),
});

/** As JSON looks everywhere here, of the lines in sight. */
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

/** A line begins as deep as there are brackets open before it; what closes one begins where its line did. */
const indentation = indentService.of((context, at) => {
  const before = context.state.sliceDoc(0, at).replaceAll(jsonTokens, "");
  const opened = before.replaceAll(/[^[{]/g, "").length - before.replaceAll(/[^\]}]/g, "").length;
  const isClosed = /^\s*[\]}]/.test(context.textAfterPos(at));
  return Math.max(0, opened - (isClosed ? 1 : 0)) * context.unit;
});

/** JSON by its tokens alone, for colours and indentation: a language of CodeMirror's brings a parser. */
export const jsonLanguage = [colours, indentation];
