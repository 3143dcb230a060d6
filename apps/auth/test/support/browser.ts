import { readForms, type HtmlForm } from "./html-form.ts";
import type { SecretWatch } from "./secret-watch.ts";

export type BrowserPage = {
  /** The last address: one of our pages, or the first address elsewhere. */
  url: string;
  status: number;
  headers: Headers;
  html: string;
  forms: HtmlForm[];
  /** True for an address of an application, which is not requested. */
  isElsewhere: boolean;
};

/** A browser without script: keeps cookies, follows redirects, fills forms. */
export interface Browser {
  open(url: string): Promise<BrowserPage>;
  /** Sends a form with these values over its own, pressing the button with this label, or the first one. */
  submit(form: HtmlForm | undefined, values?: Record<string, string>, label?: string): Promise<BrowserPage>;
  /** Opens a page and submits its first form. */
  fill(url: string, values?: Record<string, string>, label?: string): Promise<BrowserPage>;
  cookies: Map<string, string>;
  /** Every `Set-Cookie` that it received. */
  setCookies: readonly string[];
}

export type BrowserOptions = {
  /** Our origin, as browsers know it. */
  origin: string;
  /** The ports of the processes, which take turns. */
  ports: () => readonly number[];
  watch: SecretWatch;
  /** Sent with every request, instead of its own headers of the same name. */
  headers?: Readonly<Record<string, string>>;
};

const maxRedirects = 10;

export function createBrowser({ origin, ports, watch, headers = {} }: BrowserOptions): Browser {
  const cookies = new Map<string, string>();
  const setCookies: string[] = [];
  let turn = 0;

  const keep = (cookie: string): void => {
    setCookies.push(cookie);
    const [pair = "", ...attributes] = cookie.split(";").map((part) => part.trim());
    const [name, value] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
    const isOver = attributes.some((attribute) => /^max-age=0$|^expires=Thu, 01 Jan 1970/i.test(attribute));
    if (isOver || value === "") {
      cookies.delete(name);
    } else {
      cookies.set(name, watch.note(value));
    }
  };
  const ask = async (url: URL, body: URLSearchParams | null): Promise<Response> => {
    const listening = ports();
    turn += 1;
    const target = `http://127.0.0.1:${listening[turn % listening.length]}${url.pathname}${url.search}`;
    const response = await fetch(target, {
      method: body ? "POST" : "GET",
      body,
      redirect: "manual",
      headers: {
        Accept: "text/html,application/xhtml+xml,*/*;q=0.8",
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(body && { Origin: origin, "Sec-Fetch-Site": "same-origin" }),
        ...headers,
      },
    });
    response.headers.getSetCookie().forEach(keep);
    return response;
  };
  const go = async (to: string, body: URLSearchParams | null = null): Promise<BrowserPage> => {
    let url = new URL(to, origin);
    let sent = body;
    for (let redirects = 0; redirects < maxRedirects; redirects += 1) {
      if (url.origin !== origin) {
        noteSecretsOf(url, watch);
        return { url: url.href, status: 0, headers: new Headers(), html: "", forms: [], isElsewhere: true };
      }
      const response = await ask(url, sent);
      const html = await response.text();
      const location = response.headers.get("Location");
      if (location === null) {
        const { status, headers } = response;
        return { url: url.href, status, headers, html, forms: readForms(html), isElsewhere: false };
      }
      url = new URL(location, url);
      sent = null;
    }
    throw new Error(`More than ${maxRedirects} redirects, the last one to ${url.pathname}.`);
  };
  const submit: Browser["submit"] = (form, values = {}, label) => {
    if (!form) {
      throw new Error("There is no such form on the page.");
    }
    const button = form.buttons.find((each) => label === undefined || each.label === label);
    const body = new URLSearchParams(form.values);
    Object.entries(values).forEach(([name, value]) => body.set(name, value));
    if (button?.name) {
      body.set(button.name, button.value);
    }
    return go(form.action, body);
  };
  return {
    cookies,
    setCookies,
    open: (url) => go(url),
    submit,
    fill: async (url, values, label) => submit((await go(url)).forms[0], values, label),
  };
}

function noteSecretsOf(url: URL, watch: SecretWatch): void {
  const code = url.searchParams.get("code");
  if (code !== null) {
    watch.note(code);
  }
}
