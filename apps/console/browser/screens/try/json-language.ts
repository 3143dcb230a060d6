import { StreamLanguage } from "@codemirror/language";

/** JSON by its tokens alone, which is all that colours and indentation need: CodeMirror's own language brings a parser of 7 kB. */
export const jsonLanguage = StreamLanguage.define<{ depth: number }>({
  name: "json",
  startState: () => ({ depth: 0 }),
  token: (stream, state) => {
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) {
      return stream.match(/^\s*:/, false) ? "propertyName" : "string";
    }
    if (stream.match(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) {
      return "number";
    }
    if (stream.match(/^(?:true|false|null)\b/)) {
      return "bool";
    }
    const character = stream.next() ?? "";
    state.depth += "{[".includes(character) ? 1 : "}]".includes(character) ? -1 : 0;
    return null;
  },
  indent: ({ depth }, textAfter, { unit }) => Math.max(0, depth - (/^[}\]]/.test(textAfter) ? 1 : 0)) * unit,
});
