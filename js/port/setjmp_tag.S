# SPDX-License-Identifier: Apache-2.0
# The tag of the exception that longjmp throws.
	.tagtype __c_longjmp i32
	.globl __c_longjmp
__c_longjmp:
