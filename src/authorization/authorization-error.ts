/** No authorizer could decide. The answer is 500 with the message. */
export class AuthorizationError extends Error {}
