// SPDX-License-Identifier: Apache-2.0
/** The longest fragment that toLink() makes, in letters. */
export declare const LINK_MAX: number;
/** The fragment of a link with a session, without '#'; null if it would be longer than `limit` letters. */
export declare function toLink(bytes: Uint8Array, limit?: number): Promise<string | null>;
/** The session in an address or a fragment; null if there is none. Throws if it is damaged or larger than 64 MiB. */
export declare function fromLink(link: string): Promise<Uint8Array | null>;
