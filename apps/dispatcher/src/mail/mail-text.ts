import type { DeliveryFailure, WebhookMail } from "@gateway/platform/mails";

export type MailText = { subject: string; text: string };

/** The host alone stands for the webhook's address, because paths and queries hold secrets. */
export function writeMail(mail: WebhookMail, { livemode }: { livemode: boolean }): MailText {
  const host = new URL(mail.webhook.url).host;
  const environment = livemode ? "" : "[sandbox] ";
  const place = `Webhook: ${mail.webhook.id}${describe(mail.webhook.description)}\nHost: ${host}`;
  return mail.kind === "webhook_failed"
    ? {
        subject: `${environment}Your webhook at ${host} has failed and is no longer called`,
        text: paragraphs(
          "A delivery failed six times over fourteen hours, so your webhook is marked failed and no longer called.",
          `${place}\n${evidence(mail.failure)}`,
          "Nothing is lost: new events are held for it, for 30 days.",
          `Repair the receiver, then enable the webhook with POST /api/v1/webhooks/${mail.webhook.id}/enable. Held deliveries are then sent, oldest first. The delivery that failed is sent again with POST /api/v1/deliveries/{deliveryId}/resend; GET /api/v1/deliveries?webhookId=${mail.webhook.id}&status=failed lists them.`,
        ),
      }
    : {
        subject: `${environment}Deliveries to your webhook at ${host} are failing`,
        text: paragraphs(
          "A delivery to your webhook failed for the third time in a row. It is tried three more times, over fourteen hours; if all of them fail, the webhook is marked failed and no longer called.",
          `${place}\n${evidence(mail.failure)}`,
          `Look at the attempts with GET /api/v1/deliveries?webhookId=${mail.webhook.id} and make sure that the receiver answers 2xx within 5 seconds. You need not do anything else: retries continue by themselves.`,
        ),
      };
}

function describe(description: string | null): string {
  return description === null ? "" : ` (${description.replaceAll(/\s+/g, " ")})`;
}

export function paragraphs(...parts: string[]): string {
  return `${parts.join("\n\n")}\n`;
}

function evidence(failure: DeliveryFailure | null): string {
  if (!failure) {
    return "Last response: no longer kept";
  }
  return `Failing since: ${failure.since.toISOString()}\nLast response: ${answerOf(failure)}`;
}

function answerOf({ outcome, httpStatus }: DeliveryFailure): string {
  switch (outcome) {
    case "http_error":
      return `status ${httpStatus}`;
    case "timeout":
      return "none within 5 seconds";
    case "tls_failed":
      return "no secure connection; is the certificate valid for this host, and not expired or self-signed?";
    case "blocked":
      return "not called, because the host has an address that is not public";
    default:
      return "no connection, or one that broke off";
  }
}
