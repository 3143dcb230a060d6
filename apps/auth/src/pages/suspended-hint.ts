/** Refers to the operator, because only the operator can explain a suspension. */
export const suspendedHint = "Nothing can be done in it until who runs this service resumes it. Write to them.";
