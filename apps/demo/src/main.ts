import { answerArguments, ConfigurationError } from "@gateway/kernel";
import open from "open";
import { AuthorizationResponseError, ResponseBodyError } from "openid-client";
import { demoSettings, readDemoConfig } from "./config.ts";
import { walkOauth } from "./walk-oauth.ts";

const answer = answerArguments(process.argv.slice(2), {
  command: "npm run --silent demo:oauth",
  does: "An application in the terminal: sends you to the identity provider, gets its tokens, and lists your wallets.",
  settings: demoSettings,
  example: "npm run --silent demo:oauth",
});
if (answer) {
  console[answer.exitCode === 0 ? "log" : "error"](answer.text);
  process.exitCode = answer.exitCode;
} else {
  await walk();
}

async function walk(): Promise<void> {
  try {
    await walkOauth(readDemoConfig(process.env), { print: (line) => console.log(line), openBrowser });
  } catch (error) {
    console.error(explain(error));
    process.exitCode = 1;
  }
}

/** Only for a person at a terminal; on a machine without a browser the printed address has to do. */
async function openBrowser(url: string): Promise<void> {
  if (process.stdout.isTTY) {
    const browser = await open(url).catch(() => null);
    browser?.once("error", () => {});
  }
}

function explain(error: unknown): string {
  if (error instanceof ConfigurationError) {
    return error.message;
  }
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return `The identity provider refused: ${error.error}${error.error_description ? `, ${error.error_description}` : ""}.`;
  }
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    return `${error.message}. Another program has the port of the redirect URI: end it, or set REDIRECT_PORT and register that address.`;
  }
  if (error instanceof Error && error.message === "fetch failed") {
    return "The identity provider or the gateway does not answer. Is npm start running?";
  }
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
