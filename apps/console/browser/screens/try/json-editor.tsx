import { history, historyKeymap, standardKeymap } from "@codemirror/commands";
import { indentUnit, indentService } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, Decoration, MatchDecorator, ViewPlugin } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { classOfToken, jsonTokens } from "../../parts/shown/code-block.tsx";

type Options = { text: string; label: string; describedBy: string; isFaulty: boolean; onChange(text: string): void };

export default function JsonEditor({ text, label, describedBy, isFaulty, onChange }: Options) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef({ text, onChange });
  latest.current = { text, onChange };
  useEffect(() => {
    if (!place.current) {
      return;
    }
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({ doc: latest.current.text, extensions: [extensions(label, describedBy), listen()] }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
    function listen() {
      return EditorView.updateListener.of((update) => {
        if (update.docChanged) {
          latest.current.onChange(update.state.doc.toString());
        }
      });
    }
  }, [label, describedBy]);
  useEffect(() => {
    const editor = view.current;
    // The text changed outside the editor, such as by a press on Example.
    if (editor && editor.state.doc.toString() !== text) {
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
    }
  }, [text]);
  return <div ref={place} className="json-editor" data-invalid={isFaulty} />;
}

function extensions(label: string, describedBy: string) {
  return [
    EditorView.cspNonce.of(nonce()),
    lineNumbers(),
    history(),
    jsonLanguage,
    indentUnit.of("  "),
    keymap.of([...standardKeymap, ...historyKeymap]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": describedBy, spellcheck: "false" }),
  ];
}

/** The nonce of this page, whose policy refuses all other styles. */
function nonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
}

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
const jsonLanguage = [colours, indentation];
