import type { OauthApplication } from "@gateway/platform/accounts";
import { createHash, randomBytes } from "node:crypto";
import type { Browser, BrowserPage } from "./browser.ts";
import type { Person, TestAuth } from "./test-auth.ts";

export type TokenAnswer = {
  status: number;
  text: string;
  json: {
    access_token: string;
    refresh_token: string;
    id_token?: string;
    expires_in: number;
    scope?: string;
    token_type: string;
    error?: string;
    error_description?: string;
  };
  headers: Headers;
};

export type Authorization = { code: string; verifier: string; url: URL; browser: Browser };

/** Sends the given requests exactly, right or wrong. Clients by other authors are in `clients.edge.test.ts`. */
export interface OauthClient {
  application: Pick<OauthApplication, "id" | "name" | "redirectUris">;
  redirectUri: string;
  /** A valid request, except for the given parameters. Undefined leaves a parameter out. */
  authorizeUrl(parameters?: Record<string, string | undefined>): string;
  /** Allows the request, in the given browser or in one that the person has signed in with. */
  authorize(person: Person, options?: AuthorizeOptions): Promise<Authorization>;
  exchange(authorization: Authorization, options?: RequestOptions): Promise<TokenAnswer>;
  refresh(refreshToken: string, options?: RequestOptions): Promise<TokenAnswer>;
  /** Runs the whole flow, and returns the tokens of the person. */
  connect(person: Person, options?: AuthorizeOptions): Promise<TokenAnswer["json"]>;
  post(path: string, form: Record<string, string | undefined>, options?: RequestOptions): Promise<TokenAnswer>;
}

type AuthorizeOptions = { scope?: string; browser?: Browser; accountId?: string };
/** `port` selects the process. `form` replaces fields of the request; undefined leaves one out. */
type RequestOptions = { port?: number | undefined; form?: Record<string, string | undefined> };

/** `secret` is the console's. */
export function createOauthClient(
  auth: TestAuth,
  application: Pick<OauthApplication, "id" | "name" | "redirectUris">,
  { secret }: { secret?: string } = {},
): OauthClient {
  const redirectUri = application.redirectUris[0] ?? "";
  const { watch } = auth;
  const post: OauthClient["post"] = async (path, form, { port = auth.ports[0] } = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body: formOf(form) });
    const text = await response.text();
    const json = JSON.parse(text === "" ? "{}" : text) as TokenAnswer["json"];
    [json.access_token, json.refresh_token, json.id_token].forEach((token) => token && watch.note(token));
    return { status: response.status, text, json, headers: response.headers };
  };
  const authorizeUrl = (verifier: string, parameters: Record<string, string | undefined>): string =>
    `${auth.origin}/api/v1/authorize?${formOf({
      response_type: "code",
      client_id: application.id,
      redirect_uri: redirectUri,
      scope: "openid email profile write",
      state: "st_1",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      ...parameters,
    }).toString()}`;
  const client: OauthClient = {
    application,
    redirectUri,
    post,
    authorizeUrl: (parameters = {}) => authorizeUrl(watch.note(newVerifier()), parameters),
    authorize: async (person, { scope, browser: given, accountId } = {}) => {
      const browser = given ?? (await auth.openBrowser(person));
      const verifier = watch.note(newVerifier());
      const page = await browser.open(authorizeUrl(verifier, scope === undefined ? {} : { scope }));
      const last = await answerQuestions(browser, page, { person, accountId });
      const url = new URL(last.url);
      const code = url.searchParams.get("code");
      if (code === null) {
        throw new Error(`No code: ${last.status} ${last.url} ${last.html}`);
      }
      return { code, verifier, url, browser };
    },
    exchange: ({ code, verifier }, options = {}) =>
      post(
        "/api/v1/token",
        {
          grant_type: "authorization_code",
          client_id: application.id,
          client_secret: secret,
          redirect_uri: redirectUri,
          code,
          code_verifier: verifier,
          ...options.form,
        },
        options,
      ),
    refresh: (refreshToken, options = {}) =>
      post(
        "/api/v1/token",
        {
          grant_type: "refresh_token",
          client_id: application.id,
          client_secret: secret,
          refresh_token: refreshToken,
          ...options.form,
        },
        options,
      ),
    connect: async (person, options) => {
      const answer = await client.exchange(await client.authorize(person, options));
      if (answer.status !== 200) {
        throw new Error(`No tokens: ${answer.text}`);
      }
      return answer.json;
    },
  };
  return client;
}

/** The buttons for an application and for the console. */
const yes: readonly string[] = ["Allow", "Continue"];

/** Signs in and allows, as often as the pages require it, until the browser is sent elsewhere. */
export async function answerQuestions(
  browser: Browser,
  start: BrowserPage,
  { person, accountId }: { person: Person; accountId?: string | undefined },
): Promise<BrowserPage> {
  let page = start;
  for (let questions = 0; questions < 4 && !page.isElsewhere && page.forms.length > 0; questions += 1) {
    const signIn = page.forms.find(({ inputs }) => inputs.includes("password"));
    const consent = page.forms.find(({ buttons }) => buttons.some(({ label }) => yes.includes(label)));
    const label = consent?.buttons.find((button) => yes.includes(button.label))?.label;
    page = signIn
      ? await browser.submit(signIn, { email: person.user.email, password: person.password })
      : await browser.submit(consent, accountId === undefined ? {} : { account: accountId }, label);
  }
  return page;
}

export function newVerifier(): string {
  return randomBytes(32).toString("base64url");
}

function formOf(values: Record<string, string | undefined>): URLSearchParams {
  return new URLSearchParams(Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined));
}
