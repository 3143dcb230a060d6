import { describe, expect, test } from "vitest";
import { describeUserAgent } from "../src/views/describe-user-agent.ts";
import { renderField } from "../src/views/form.ts";
import { html } from "../src/views/html.ts";
import { renderLayout } from "../src/views/layout.ts";

/** Values that would break out of their place in a page if they were not escaped. */
const attacks = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '" autofocus onfocus="alert(1)',
  "</textarea><svg/onload=alert(1)>",
  "`${alert(1)}`",
  "<!--",
  "]]>",
  "&lt;script&gt;",
  "</title><script>alert(1)</script>",
  "\u2028\u2029<b>",
];

describe("text from outside stays text", () => {
  test.each(attacks)("%s between tags", (attack) => {
    const { markup } = html`<p>${attack}</p>`;
    expect(markup.slice(3, -4)).not.toMatch(/[<>"'`]/);
    expect(unescape(markup.slice(3, -4))).toBe(attack);
  });

  test.each(attacks)("%s in an attribute", (attack) => {
    const { markup } = html`<p title="${attack}"></p>`;
    expect(markup).toMatch(/^<p title="[^"<>]*"><\/p>$/);
  });

  test.each(attacks)("%s as the value, the fault and the title of a page", (attack) => {
    const field = renderField({
      name: "name",
      label: "Name",
      value: attack,
      autocomplete: "name",
      faults: { name: attack },
    });
    const page = renderLayout({ title: attack, notice: attack, body: field });
    expect(page).not.toContain(attack === "`${alert(1)}`" ? "`" : attack);
  });

  test("in lists, and in templates within templates", () => {
    const list = ["<b>", html`<i>${"<u>"}</i>`, [1, null, false, true, undefined]];
    expect(html`${list}`.markup).toBe("&lt;b&gt;<i>&lt;u&gt;</i>1");
  });

  test("an object that only looks like markup cannot come from a form, whose values are texts", () => {
    expect(html`${JSON.stringify({ markup: "<b>" })}`.markup).not.toContain("<b>");
  });
});

test("a password that was typed is never sent back", () => {
  const field = { name: "password", label: "Password", autocomplete: "current-password", value: "secret of mine" };
  expect(renderField({ ...field, type: "password" }).markup).not.toContain("secret of mine");
});

test("a field with a fault says so to everybody: the fault describes it, and it is marked invalid", () => {
  const { markup } = renderField({
    name: "email",
    label: "E-mail address",
    autocomplete: "email",
    hint: "A hint",
    faults: { email: "A fault" },
  });
  expect(markup).toContain('aria-describedby="email-hint email-fault"');
  expect(markup).toContain('aria-invalid="true"');
  expect(markup).toContain('<p class="fault" id="email-fault">A fault</p>');
});

describe("a browser in words", () => {
  test.each([
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
      "Edge on Windows",
    ],
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
      "Chrome on Linux",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
      "Safari on iPhone",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15",
      "Safari on macOS",
    ],
    ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0", "Firefox on Windows"],
    [
      "Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36",
      "Samsung Internet on Android",
    ],
    [
      "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/120.0 Mobile/15E148 Safari/604.1",
      "Chrome on iPad",
    ],
    ["curl/8.7.1", "A browser"],
    ["", "A browser"],
    ["<script>alert(1)</script> Linux", "A browser on Linux"],
  ])("%s", (userAgent, words) => {
    expect(describeUserAgent(userAgent)).toBe(words);
  });
});

function unescape(text: string): string {
  const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", "#96": "`", amp: "&" };
  return text.replace(/&(lt|gt|quot|#39|#96|amp);/g, (_all, name: string) => entities[name] ?? "");
}
