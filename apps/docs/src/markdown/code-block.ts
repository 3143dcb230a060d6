import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import go from "highlight.js/lib/languages/go";
import http from "highlight.js/lib/languages/http";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";
import yaml from "highlight.js/lib/languages/yaml";
import { hasKey } from "@gateway/kernel";
import { escapeHtml } from "../html/escape-html.ts";
import { parseCodeInfo } from "./code-info.ts";

const languages = { go, http, java, js: javascript, json, python, sh: bash, ts: typescript, yaml };
type Language = keyof typeof languages;

export type CodeHighlighter = (code: string, language: string) => string;

/** Highlights at build time, with classes and no inline styles, so that a strict policy holds. */
export function createHighlighter(): CodeHighlighter {
  const highlighter = hljs.newInstance();
  for (const [name, grammar] of Object.entries(languages)) {
    highlighter.registerLanguage(name, grammar);
  }
  return (code, language) =>
    language in languages ? highlighter.highlight(code, { language }).value : escapeHtml(code);
}

/** A block with its label; the button that copies it is added by the script. */
export function renderCodeBlock(code: string, info: string, highlight: CodeHighlighter): string {
  const { language, title } = parseCodeInfo(info);
  const label = title ?? labelOf(language, code);
  const caption = label === "" ? "" : `<p class="code-label">${escapeHtml(label)}</p>`;
  return `<div class="code" data-label="${escapeHtml(label)}">${caption}<pre tabindex="0"><code>${highlight(code.trimEnd(), language)}</code></pre></div>\n`;
}

const labels: Readonly<Record<Language, string>> = {
  go: "Go",
  http: "HTTP",
  java: "Java",
  js: "JavaScript",
  json: "JSON",
  python: "Python",
  sh: "Shell",
  ts: "TypeScript",
  yaml: "YAML",
};

function labelOf(language: string, code: string): string {
  if (language === "sh" && /\bcurl /.test(code)) {
    return "curl";
  }
  return hasKey(labels, language) ? labels[language] : "";
}
