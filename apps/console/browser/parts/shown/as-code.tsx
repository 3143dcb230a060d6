import { operations, type Call } from "../../data/calls.ts";
import { setPreferences, usePreferences } from "../../data/preferences.ts";
import { curlOf, typescriptOf } from "../../data/snippets.ts";
import { useSession } from "../page/session-context.tsx";
import { CodeBlock } from "./code-block.tsx";
import { Icon } from "./icon.tsx";

/**
 * The data shown, or the action to be done, as code for a program. It is made from the very call that the page sends.
 */
export function AsCode({ call, isOpen = false }: { call: Call; isOpen?: boolean }) {
  return (
    <details className="as-code" open={isOpen}>
      <summary>
        <Icon name="code" size={14} /> As code
      </summary>
      <CodeOf call={call} />
    </details>
  );
}

export function CodeOf({ call }: { call: Call }) {
  const { codeLanguage } = usePreferences();
  const { addresses } = useSession();
  const operation = operations[call.operationId];
  const { path, query, body, idempotencyKey } = call;
  const snippet = { operation, path, query, body, idempotencyKey };
  const text = codeLanguage === "curl" ? curlOf(snippet, addresses.api) : typescriptOf(snippet);
  const languages = (
    <div role="group" aria-label="Language" className="segments">
      {(["curl", "typescript"] as const).map((language) => (
        <button
          key={language}
          type="button"
          aria-pressed={codeLanguage === language}
          onClick={() => setPreferences({ codeLanguage: language })}
        >
          {language === "curl" ? "curl" : "TypeScript"}
        </button>
      ))}
    </div>
  );
  return <CodeBlock text={text} label={`${operation.summary}, as code`} bar={languages} />;
}
