import { clientName } from "./client-name.ts";
import { completeOperations } from "../preprocessors/complete-operations.ts";
import { copyValues } from "../preprocessors/copy-values.ts";
import { listCodes } from "../preprocessors/list-codes.ts";
import { pathServers as completePathServers } from "../preprocessors/path-servers.ts";
import { closedObjects } from "./closed-objects.ts";
import { decided } from "./decided.ts";
import { envelope } from "./envelope.ts";
import { errorResponses } from "./error-responses.ts";
import { eventCause } from "./event-cause.ts";
import { eventTypes } from "./event-types.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import { kebabCasePaths } from "./kebab-case-paths.ts";
import { listShape } from "./list-shape.ts";
import { namedExamples } from "./named-examples.ts";
import { oneDirection } from "./one-direction.ts";
import { pathServers } from "./path-servers.ts";
import { patternIssue } from "./pattern-issue.ts";
import { permissionRole } from "./permission-role.ts";
import { personOnly } from "./person-only.ts";
import { problemCodes } from "./problem-codes.ts";
import { responseHeaders } from "./response-headers.ts";
import type { Rule } from "./rule.ts";
import { sandboxPaths } from "./sandbox-paths.ts";
import { serviceNamed } from "./service-named.ts";
import { stateMachine } from "./state-machine.ts";
import { transitionEmits } from "./transition-emits.ts";
import { transitionNames } from "./transition-names.ts";
import { webhookShape } from "./webhook-shape.ts";

const rules: Record<string, Rule> = {
  "client-name": clientName,
  "closed-objects": closedObjects,
  decided,
  envelope,
  "error-responses": errorResponses,
  "event-cause": eventCause,
  "event-types": eventTypes,
  "idempotency-key": idempotencyKey,
  "kebab-case-paths": kebabCasePaths,
  "list-shape": listShape,
  "named-examples": namedExamples,
  "one-direction": oneDirection,
  "path-servers": pathServers,
  "pattern-issue": patternIssue,
  "permission-role": permissionRole,
  "person-only": personOnly,
  "problem-codes": problemCodes,
  "response-headers": responseHeaders,
  "sandbox-paths": sandboxPaths,
  "service-named": serviceNamed,
  "state-machine": stateMachine,
  "transition-emits": transitionEmits,
  "transition-names": transitionNames,
  "webhook-shape": webhookShape,
};

/** The house rules and preprocessors, as Redocly CLI loads them (redocly.yaml). */
export default function plugin() {
  return {
    id: "gateway",
    rules: { oas3: rules },
    preprocessors: {
      oas3: {
        "complete-operations": completeOperations,
        "copy-values": copyValues,
        "list-codes": listCodes,
        "path-servers": completePathServers,
      },
    },
  };
}
