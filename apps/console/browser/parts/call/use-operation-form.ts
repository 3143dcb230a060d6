import { useQuery } from "@tanstack/react-query";
import { formLoaders } from "virtual:operation-forms";
import type { OperationForm } from "../../../src/build/form-schema.ts";
import { isOperationId, operations } from "../../data/calls.ts";

/** The form of an operation, fetched with all of its service. Undefined until then, and for no operation. */
export function useOperationForm(operationId: string | null) {
  const service = operationId !== null && isOperationId(operationId) ? operations[operationId].service : "";
  const forms = useQuery({
    queryKey: ["forms", service],
    // The build writes them (src/build/operation-forms.ts).
    queryFn: async () => (await formLoaders[service]?.())?.forms as Readonly<Record<string, OperationForm>>,
    enabled: service !== "",
    staleTime: Infinity,
  });
  return { ...forms, form: operationId === null ? undefined : forms.data?.[operationId] };
}
