import { aggregateText } from "../../apimachinery/errors/aggregate.ts";
import { goQuotedList } from "../../apimachinery/go/go-quote.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { ApiRequest } from "../../request/handler.ts";
import type { Peer } from "../../request/peer.ts";

/**
 * The result of an authenticator: a user, a rejection of the credentials, or no opinion. A request is anonymous only
 * if no authenticator has an opinion. The group `system:authenticated` is added by the chain.
 */
export type Authentication =
  | {
      readonly type: "authenticated";
      readonly user: UserInfo;
      /**
       * The audiences of the credential that are among the wanted ones. Undefined for methods that do not know audiences:
       * their credentials are valid for the audiences of the API.
       */
      readonly audiences?: readonly string[];
      /** What the server tells about the credential. Undefined for most. */
      readonly notes?: AuthenticationNotes | undefined;
    }
  | Rejection
  | { readonly type: "noOpinion" };

/** What the server tells about a credential that it accepts, in each answer to it. */
export interface AuthenticationNotes {
  /** In the audit log. */
  readonly annotations: { readonly [name: string]: string };
  /** In Warning headers. */
  readonly warnings: readonly string[];
}

/** The message is for reviews of tokens and for logs; clients only learn that they are unauthorized. It holds no secret. */
export interface Rejection {
  readonly type: "rejected";
  readonly message: string;
}

/** Adds a Warning header to the answer. */
export type Warn = (text: string) => void;

/** Authenticates a request by the credentials of one kind; `noOpinion` if it has none. */
export type Authenticator = (
  request: ApiRequest,
  peer: Peer,
  warn: Warn,
) => Promise<Authentication> | Authentication;

/**
 * Authenticates a bearer token for at least one of these audiences, or has no opinion: then the next method is asked. The
 * audiences are those of the API, except in reviews that name others.
 */
export type TokenAuthenticator = (
  token: string,
  audiences: readonly string[],
) => Promise<Authentication> | Authentication;

export const noOpinion: Authentication = { type: "noOpinion" };

export function rejected(message: string): Rejection {
  return { type: "rejected", message };
}

/** The rejection of a credential for other audiences. */
export function wrongAudience(actual: readonly string[], wanted: readonly string[]): Rejection {
  return rejected(
    `token audiences ${goQuotedList(actual)} is invalid for the target audiences ${goQuotedList(wanted)}`,
  );
}

/**
 * The first authenticator that recognizes the user decides. A rejection counts only if no other one recognizes the
 * user. Upstream: pkg/authentication/request/union and pkg/authentication/token/union.
 */
export function anyOf<Parameters extends readonly unknown[]>(
  authenticators: readonly ((...parameters: Parameters) => Promise<Authentication> | Authentication)[],
): (...parameters: Parameters) => Promise<Authentication> | Authentication {
  const [only] = authenticators;
  if (only !== undefined && authenticators.length === 1) return only;
  // Continues without a promise as long as it can: tokens that the cluster knows are authenticated at once.
  const from = (
    first: number,
    parameters: Parameters,
    messages: readonly string[],
  ): Promise<Authentication> | Authentication => {
    const authenticate = authenticators[first];
    if (authenticate === undefined) {
      return messages.length === 0 ? noOpinion : rejected(aggregateText(messages));
    }
    const next = (answer: Authentication): Promise<Authentication> | Authentication =>
      answer.type === "authenticated"
        ? answer
        : from(first + 1, parameters, answer.type === "rejected" ? [...messages, answer.message] : messages);
    const answer = authenticate(...parameters);
    return answer instanceof Promise ? answer.then(next) : next(answer);
  };
  return (...parameters) => from(0, parameters, none);
}

const none: readonly string[] = [];
