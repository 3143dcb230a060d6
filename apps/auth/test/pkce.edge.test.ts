import { useAll } from "@gateway/testkit";
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { answerQuestions, createOauthClient, newVerifier } from "./support/oauth-client.ts";
import { useAuth } from "./support/use-auth.ts";

describe("PKCE", () => {
  const auth = useAuth();
  const person = useAll(() => auth.createPerson());
  const client = useAll(async () => createOauthClient(auth, await auth.createApplication(person.account)));

  const verifier = newVerifier();
  const requests: [what: string, parameters: Record<string, string | undefined>][] = [
    ["no challenge and no method", { code_challenge: undefined, code_challenge_method: undefined }],
    ["no challenge", { code_challenge: undefined }],
    ["an empty challenge", { code_challenge: "" }],
    ["method plain", { code_challenge: verifier, code_challenge_method: "plain" }],
    ["no method, which means plain", { code_challenge: verifier, code_challenge_method: undefined }],
    ["method s256", { code_challenge_method: "s256" }],
    ["a challenge that is too short", { code_challenge: "short" }],
    ["a challenge with other characters", { code_challenge: `${"a".repeat(42)}=` }],
    ["a challenge that is too long", { code_challenge: "a".repeat(129) }],
  ];

  test.each(requests)("an authorize request with %s is refused", async (_what, parameters) => {
    const { url, isElsewhere } = await (await auth.openBrowser(person)).open(client.authorizeUrl(parameters));
    expect(isElsewhere).toBe(true);
    const answer = new URL(url).searchParams;
    expect(answer.get("error")).toBe("invalid_request");
    expect(answer.get("code")).toBeNull();
    expect(answer.get("iss")).toBe(auth.origin);
  });

  const verifiers: [what: string, codeVerifier: string | undefined, error: string][] = [
    ["another verifier", newVerifier(), "invalid_grant"],
    ["no verifier", undefined, "invalid_grant"],
    ["an empty verifier", "", "invalid_grant"],
    ["a verifier that is too short", "short", "invalid_request"],
    ["a challenge as the verifier", createHash("sha256").update(verifier).digest("base64url"), "invalid_grant"],
  ];

  test.each(verifiers)("an exchange with %s is refused", async (_what, codeVerifier, error) => {
    const authorization = await client.authorize(person);
    const answer = await client.exchange(authorization, { form: { code_verifier: codeVerifier } });
    expect({ status: answer.status, error: answer.json.error }).toEqual({ status: 400, error });
  });

  test("a verifier without a challenge has no code to go with", async () => {
    const browser = await auth.openBrowser();
    const page = await browser.open(
      client.authorizeUrl({ code_challenge: undefined, code_challenge_method: undefined }),
    );
    const last = await answerQuestions(browser, page, { person });
    expect(new URL(last.url).searchParams.get("code")).toBeNull();
  });
});
