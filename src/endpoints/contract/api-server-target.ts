/** A server in the process of the test, behind an APIService: a function as the web's fetch calls it. */
export type ApiServerFunction = (request: Request) => Response | Promise<Response>;

/** What answers for an APIService: a function, or the https URL of a server, such as "https://127.0.0.1:8443". */
export type ApiServerTarget = ApiServerFunction | string;
