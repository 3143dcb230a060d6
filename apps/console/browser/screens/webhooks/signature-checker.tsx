import { WebhookVerificationError, verifyWebhook } from "gateway-api-client/webhooks";
import { useEffect, useState } from "react";
import { FieldInput } from "../../parts/fields/field-input.tsx";
import { Modal } from "../../parts/dialog/modal.tsx";

/** Says whether a delivery is authentic, and what is wrong. Nothing is sent or kept. */
export function SignatureChecker({ onClose }: { onClose(): void }) {
  const [secret, setSecret] = useState("");
  const [header, setHeader] = useState("");
  const [body, setBody] = useState("");
  const verdict = useVerdict({ secret, header, body });
  return (
    <Modal title="Check a signature" onClose={onClose}>
      <div className="dialog-text">
        Nothing leaves this page. The time of the signature is not judged, so that old deliveries can be checked.
      </div>
      <FieldInput
        field={{ name: "secret", label: "Secret", kind: "text", isCode: true, placeholder: "whsec_…" }}
        value={secret}
        onChange={setSecret}
      />
      <FieldInput
        field={{
          ...{ name: "header", label: "Header X-Service-Signature", kind: "text" },
          ...{ isCode: true, placeholder: "t=…,v1=…" },
        }}
        value={header}
        onChange={setHeader}
      />
      <FieldInput
        field={{ name: "body", label: "Body, byte for byte", kind: "area", isCode: true }}
        value={body}
        onChange={setBody}
      />
      {verdict && (
        <p className={verdict.isValid ? "note good" : "note bad"} role="status">
          {verdict.text}
        </p>
      )}
    </Modal>
  );
}

type Verdict = { isValid: boolean; text: string };

function useVerdict(input: { secret: string; header: string; body: string }): Verdict | null {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const { secret, header, body } = input;
  useEffect(() => {
    let isCurrent = true;
    if (secret === "" || header === "" || body === "") {
      setVerdict(null);
    } else {
      void judge({ secret: secret.trim(), header: header.trim(), body }).then(
        (found) => isCurrent && setVerdict(found),
      );
    }
    return () => {
      isCurrent = false;
    };
  }, [secret, header, body]);
  return verdict;
}

async function judge({ secret, header, body }: { secret: string; header: string; body: string }): Promise<Verdict> {
  try {
    await verifyWebhook(body, header, secret, { toleranceSeconds: Number.MAX_SAFE_INTEGER });
    return { isValid: true, text: "The signature fits: this body was signed with this secret." };
  } catch (error) {
    return { isValid: false, text: error instanceof WebhookVerificationError ? error.message : String(error) };
  }
}
