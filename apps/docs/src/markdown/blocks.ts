import type { MarkdownIt, StateCore, Token } from "markdown-it";

const callout = /^\[!(?<kind>NOTE|WARNING)\]\s*/;

/**
 * Two forms of plain Markdown: adjacent blocks of code become tabs, and a quotation that begins with `[!NOTE]` or
 * `[!WARNING]` a callout.
 */
export function useBlocks(markdown: MarkdownIt): void {
  markdown.core.ruler.after("block", "tabs", (state) => {
    state.tokens = state.tokens.flatMap((token, index) => {
      const before = state.tokens[index - 1]?.type === "fence";
      const after = state.tokens[index + 1]?.type === "fence";
      if (token.type !== "fence" || before === after) {
        return [token];
      }
      return after ? [createTabs(state, 1), token] : [token, createTabs(state, -1)];
    });
  });
  markdown.core.ruler.after("tabs", "callouts", (state) => {
    for (const [index, token] of state.tokens.entries()) {
      const text = state.tokens[index + 2];
      const kind = token.type === "blockquote_open" && text && callout.exec(text.content)?.groups?.["kind"];
      if (kind && text) {
        text.content = text.content.replace(callout, "");
        markCallout(state.tokens.slice(index), kind.toLowerCase());
      }
    }
  });
}

function createTabs(state: StateCore, nesting: 1 | -1): Token {
  const token = new state.Token(nesting === 1 ? "tabs_open" : "tabs_close", "div", nesting);
  token.block = true;
  if (nesting === 1) {
    token.attrSet("class", "tabs");
  }
  return token;
}

/** `tokens` begins with the opening of the quotation. */
function markCallout(tokens: readonly Token[], kind: string): void {
  const [open] = tokens;
  const close = tokens.find(({ type, level }) => type === "blockquote_close" && level === open?.level);
  if (open && close) {
    open.tag = "div";
    close.tag = "div";
    open.attrSet("class", `callout callout-${kind}`);
    open.attrSet("role", "note");
  }
}
